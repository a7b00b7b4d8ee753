import { closeSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { toReadError } from "../../files/source.js";
import { UserError } from "../../user-error.js";
import type { StoredLine } from "./branch-line.js";
import type { LinePosition } from "./line-position.js";

/** An input that can be read again. */
export interface RereadableInput {
  /** As the user named it, or `<stdin>`. */
  readonly file: string;
  /** Absolute path of its unpacked bytes. */
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
