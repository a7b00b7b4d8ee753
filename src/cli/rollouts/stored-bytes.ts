import { createHash, type Hash } from "node:crypto";
import { displayName } from "../../records/input-source.js";

/** An input as it was read. */
export interface ReadInput {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** As stored, packed or not. */
  readonly bytes: number;
  /** `sha256:` and the hash of those bytes in hexadecimal digits; of none, when nobody asked. */
  readonly hash: string;
}

/** Counts, and if asked hashes, what is read of each input. */
export class StoredBytes {
  readonly #files: readonly string[];
  readonly #hashes: readonly Hash[];
  readonly #isHashing: boolean;
  readonly #bytes: number[];

  constructor(files: readonly string[], hashes: boolean) {
    this.#files = files;
    this.#bytes = files.map(() => 0);
    this.#hashes = files.map(() => createHash("sha256"));
    this.#isHashing = hashes;
  }

  add(input: number, chunk: Uint8Array): void {
    this.#bytes[input] = (this.#bytes[input] ?? 0) + chunk.length;
    if (this.#isHashing) this.#hashes[input]?.update(chunk);
  }

  inputs(): ReadInput[] {
    return this.#files.map((file, index) => {
      const hash = `sha256:${this.#hashes[index]?.copy().digest("hex")}`;
      return { file: displayName(file), bytes: this.#bytes[index] ?? 0, hash };
    });
  }
}
