import { createHash, type Hash } from "node:crypto";
import { displayName } from "../../files/source.js";

/** An input as it was read. */
export interface ReadInput {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** As stored, packed or not. */
  readonly bytes: number;
  /** `sha256:` and the hash of those bytes in hexadecimal digits; undefined when nobody asked. */
  readonly hash: string | undefined;
}

/** Counts, and if asked hashes, what is read of each input. */
export class StoredBytes {
  readonly #files: readonly string[];
  readonly #hashes: readonly Hash[];
  readonly #bytes: number[];

  constructor(files: readonly string[], hashes: boolean) {
    this.#files = files;
    this.#bytes = files.map(() => 0);
    this.#hashes = hashes ? files.map(() => createHash("sha256")) : [];
  }

  add(input: number, chunk: Uint8Array): void {
    this.#bytes[input] = (this.#bytes[input] ?? 0) + chunk.length;
    this.#hashes[input]?.update(chunk);
  }

  inputs(): ReadInput[] {
    return this.#files.map((file, index) => {
      const digest = this.#hashes[index]?.copy().digest("hex");
      const hash = digest && `sha256:${digest}`;
      return { file: displayName(file), bytes: this.#bytes[index] ?? 0, hash };
    });
  }
}
