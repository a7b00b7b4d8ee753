import { createHash, type Hash } from "node:crypto";
import type { StagedFile } from "../../files/staging.js";

/** A file of an export while it is written. */
export class OutputFile {
  readonly #file: StagedFile;
  #hash: Hash = createHash("sha256");
  readonly #hashes: boolean;
  #records = 0;
  #bytes = 0;

  /** `hashes`: whether somebody is going to ask for the hash, which costs as much as the writing. */
  constructor(file: StagedFile, hashes: boolean) {
    this.#file = file;
    this.#hashes = hashes;
  }

  get records(): number {
    return this.#records;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `sha256:` and the hash of all that was written, in hexadecimal digits. */
  hash(): string {
    return `sha256:${this.#hash.copy().digest("hex")}`;
  }

  /** Appends `records` lines. Throws UserError (exit 3) when the file cannot be written. */
  async write(bytes: Uint8Array, records: number): Promise<void> {
    if (bytes.length > 0) await this.#file.write(bytes);
    if (this.#hashes) this.#hash.update(bytes);
    this.#records += records;
    this.#bytes += bytes.length;
  }

  /** Decides that there is to be no such file. */
  omit(): void {
    this.#file.omit();
  }

  /** Drops what was written. */
  async clear(): Promise<void> {
    await this.#file.clear();
    this.#hash = createHash("sha256");
    this.#records = 0;
    this.#bytes = 0;
  }
}
