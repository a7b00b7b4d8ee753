import { closeSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { toWriteError } from "./source.js";

const CHUNK_BYTES = 2 ** 20;

/** A temporary file to which bytes are appended and from which they are read back. */
export class ScratchFile {
  readonly #path: string;
  readonly #descriptor: number;
  #length = 0;

  /** `path` must not exist. Throws UserError (exit 3) if it cannot be created. */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = this.#try(() => openSync(path, "wx+"));
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Writes at `offset`, by default at the end. A gap reads as zeros. Throws UserError (exit 3) if the disk is full. */
  write(bytes: Uint8Array, offset: number = this.#length): void {
    this.#try(() => {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#descriptor, bytes, at, bytes.length - at, offset + at);
      }
    });
    this.#length = Math.max(this.#length, offset + bytes.length);
  }

  /** Reads into `bytes` from `offset` on. Returns the number of bytes read. */
  readAt(offset: number, bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length) {
      const count = readSync(this.#descriptor, bytes, at, bytes.length - at, offset + at);
      if (count === 0) break;
      at += count;
    }
    return at;
  }

  /** Yields all bytes. Each chunk overwrites the previous one. */
  *read(): Generator<Uint8Array> {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let offset = 0; offset < this.#length; ) {
      const count = this.readAt(offset, chunk.subarray(0, this.#length - offset));
      yield chunk.subarray(0, count);
      offset += count;
    }
  }

  /** Removes everything that was written. */
  clear(): void {
    ftruncateSync(this.#descriptor);
    this.#length = 0;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #try<Result>(action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      throw toWriteError(this.#path, error);
    }
  }
}
