import { closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { crc32 } from "node:zlib";
import type { RolloutBranch } from "#generated/index.js";
import { isRereadable } from "../files/inputs.js";
import { displayName, type InputSource, toReadError } from "../files/source.js";
import { blockLines } from "../jsonl/blocks.js";
import { type ParsedRecord, type RecordLine, toRecordLine } from "../jsonl/reader.js";
import { UserError } from "../user-error.js";
import type { BranchRow } from "../validation/branch-rows.js";
import type { RolloutBuilder } from "./builder.js";
import type { LinePosition } from "./positions.js";

/** An input that can be read again. */
export interface RereadableInput {
  /** As the user named it, or `<stdin>`. */
  readonly file: string;
  /** Absolute path of its decompressed bytes. */
  readonly path: string;
}

/** Files that are open at a time: a process may have as few as 256, and there is a reader per thread. */
const MAX_OPEN = 32;

/** Reads single lines of the inputs, which it opens when it first needs them. */
export class LineReader {
  readonly #inputs: ReadonlyMap<number, RereadableInput>;
  readonly #descriptors = new Map<number, number>();

  /** `inputs` by their index. */
  constructor(inputs: ReadonlyMap<number, RereadableInput>) {
    this.#inputs = inputs;
  }

  /** Throws UserError (exit 3) when the input cannot be read, or holds other bytes than before. */
  read(position: LinePosition): StoredLine {
    const input = this.#inputs.get(position.input);
    if (input === undefined) throw new RangeError(`there is no input ${position.input}`);
    const stored = new Uint8Array(new ArrayBuffer(position.length));
    try {
      const descriptor = this.#open(position.input, input.path);
      for (let at = 0; at < stored.length; ) {
        const count = readSync(descriptor, stored, at, stored.length - at, position.offset + at);
        if (count === 0) throw new UserError(`${input.file}: became shorter while it was read`);
        at += count;
      }
    } catch (error) {
      throw toReadError(input.file, error);
    }
    if (crc32(stored) !== position.checksum) {
      throw new UserError(`${input.file}:${position.line}: changed while it was read`);
    }
    return { file: input.file, position, stored };
  }

  /** Closes all files; a later read opens its file again. */
  close(): void {
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor);
    this.#descriptors.clear();
  }

  #open(input: number, path: string): number {
    const known = this.#descriptors.get(input);
    if (known !== undefined) return known;
    if (this.#descriptors.size >= MAX_OPEN) this.close();
    const descriptor = openSync(path, "r");
    this.#descriptors.set(input, descriptor);
    return descriptor;
  }
}

/** The line of a branch, as it stands in its file. */
export interface StoredLine {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  readonly position: LinePosition;
  /** All of it but its newline. */
  readonly stored: Uint8Array<ArrayBuffer>;
}

/** A valid branch with the line that holds it. */
export interface BranchLine<Branch extends RolloutBranch> {
  readonly branch: Branch;
  readonly record: ParsedRecord;
  readonly position: LinePosition;
  readonly stored: Uint8Array;
}

/** Parses lines that were found valid before. */
export function parseStored<Branch extends RolloutBranch>(
  lines: readonly StoredLine[],
  builder: RolloutBuilder<Branch>,
): BranchLine<Branch>[] {
  return lines.map(({ file, position, stored }) => {
    const { line, offset } = position;
    const [source] = blockLines({ line, offset, bytes: stored });
    const record = source && builder.reader.read(file, source);
    const branch = record && "value" in record ? builder.read(record.value) : undefined;
    if (record === undefined || !("value" in record) || branch === undefined) {
      throw new TypeError(`${file}:${line}: is no valid branch any more`);
    }
    return { branch, record, position, stored };
  });
}

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
    const known = this.#plain.get(file) ?? isRereadable(file, this.#source);
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
