import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { isPlainFile } from "../../files/inputs.js";
import { displayName, type InputSource, toReadError } from "../../files/source.js";
import { blockLines } from "../../jsonl/blocks.js";
import { type RecordLine, toRecordLine } from "../../jsonl/reader.js";
import type { BranchRow } from "../../validation/branch-rows.js";

type LinePlace = Pick<BranchRow, "input" | "offset" | "length" | "line">;

/** Reads lines once more where that can be done: a plain file, not standard input nor a packed one. */
export class LinesAgain {
  readonly #files: readonly string[];
  readonly #source: InputSource;
  readonly #plain = new Map<string, Promise<boolean>>();

  constructor(files: readonly string[], source: InputSource) {
    this.#files = files;
    this.#source = source;
  }

  /**
   * The line with its text when it is `wanted` and can be had, else only where it stands. Throws UserError
   * (exit 3) for a file that cannot be read any more.
   */
  async find(place: LinePlace, wanted: boolean): Promise<RecordLine> {
    const file = this.#files[place.input] ?? "";
    if (wanted && (await this.#isPlain(file))) {
      const stored = await this.#read(file, place);
      const [line] = blockLines({ line: place.line, offset: place.offset, bytes: stored });
      if (line !== undefined) return toRecordLine(displayName(file), line);
    }
    const fault = { id: "json", column: 1, message: "" } as const;
    return { file: displayName(file), line: place.line, byteLength: 0, fault };
  }

  #isPlain(file: string): Promise<boolean> {
    const known = this.#plain.get(file) ?? isPlainFile(file, this.#source);
    this.#plain.set(file, known);
    return known;
  }

  async #read(file: string, { offset, length }: LinePlace): Promise<Uint8Array<ArrayBuffer>> {
    const stored = new Uint8Array(new ArrayBuffer(length));
    try {
      const handle = await open(resolve(this.#source.cwd, file));
      try {
        await handle.read(stored, 0, length, offset);
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw toReadError(file, error);
    }
    return stored;
  }
}
