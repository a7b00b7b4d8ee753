import { closeSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { toWriteError } from "./source.js";

const CHUNK_BYTES = 2 ** 20;

/** A temporary file to which bytes are appended, and from which they are read again. */
export class ScratchFile {
  readonly #path: string;
  readonly #descriptor: number;
  #length = 0;

  /** `path` must not exist. Throws UserError (exit 3) when it cannot be made. */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = this.#try(() => openSync(path, "wx+"));
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /**
   * Writes at `offset`, by default at the end; what is skipped reads as zeros. Throws UserError (exit 3)
   * when the disk is full.
   */
  write(bytes: Uint8Array, offset: number = this.#length): void {
    this.#try(() => {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#descriptor, bytes, at, bytes.length - at, offset + at);
      }
    });
    this.#length = Math.max(this.#length, offset + bytes.length);
  }

  /** Fills `bytes` from `offset` on; gives how many there were. */
  readAt(offset: number, bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length) {
      const count = readSync(this.#descriptor, bytes, at, bytes.length - at, offset + at);
      if (count === 0) break;
      at += count;
    }
    return at;
  }

  /** All bytes, in chunks that are overwritten by the next one. */
  *read(): Generator<Uint8Array> {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let offset = 0; offset < this.#length; ) {
      const count = this.readAt(offset, chunk.subarray(0, this.#length - offset));
      yield chunk.subarray(0, count);
      offset += count;
    }
  }

  /** Drops what was written. */
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
