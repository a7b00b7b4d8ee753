import type { ScratchFile } from "../../../base/files/scratch-file.js";

/** Takes the lines of branches, one after the other. */
export interface BranchFile {
  /** Throws UserError (exit 3) if it cannot be written. */
  write(lines: string | Uint8Array): void | Promise<void>;
}

/** Number of characters written at a time. */
const WRITE_LENGTH = 2 ** 20;
const NEWLINE = 0x0a;

/** Writes imported branches to their file, or to a scratch file first if some of them may be dropped later. */
export class BranchOutput {
  readonly #file: BranchFile;
  readonly #scratch: ScratchFile | undefined;
  #waiting: string[] = [];
  #length = 0;
  #branches = 0;
  /** One bit per branch: set if it is dropped. */
  #dropped = new Uint8Array();

  constructor(file: BranchFile, scratch: ScratchFile | undefined) {
    this.#file = file;
    this.#scratch = scratch;
  }

  /** Number of branches added. */
  get branches(): number {
    return this.#branches;
  }

  /** Adds a branch as JSON. Throws UserError (exit 3) if it cannot be written. */
  async add(line: string): Promise<void> {
    this.#waiting.push(line, "\n");
    this.#length += line.length;
    this.#branches += 1;
    if (this.#length >= WRITE_LENGTH) await this.#flush();
  }

  /** Drops a branch, given by its place among those added, from 0. Call it after all were added to a scratch file. */
  drop(ordinal: number): void {
    if (this.#dropped.length === 0) this.#dropped = new Uint8Array(Math.ceil(this.#branches / 8));
    const byte = this.#dropped[ordinal >> 3] ?? 0;
    this.#dropped[ordinal >> 3] = byte | (1 << (ordinal & 7));
  }

  /** Moves the branches to their file, except those that were dropped. With `gaps`, an empty line stands for each of these. */
  async finish(gaps = false): Promise<void> {
    await this.#flush();
    if (this.#scratch === undefined) return;
    let ordinal = 0;
    for (const chunk of this.#scratch.read()) {
      let start = 0;
      for (let end = 0; end < chunk.length; ) {
        const newline = chunk.indexOf(NEWLINE, end);
        const next = newline < 0 ? chunk.length : newline + 1;
        if (this.#isDropped(ordinal)) {
          if (start < end) await this.#file.write(chunk.subarray(start, end));
          start = gaps && newline >= 0 ? newline : next;
        }
        end = next;
        if (newline >= 0) ordinal += 1;
      }
      if (start < chunk.length) await this.#file.write(chunk.subarray(start));
    }
  }

  #isDropped(ordinal: number): boolean {
    return (((this.#dropped[ordinal >> 3] ?? 0) >> (ordinal & 7)) & 1) === 1;
  }

  async #flush(): Promise<void> {
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#length = 0;
    if (text === "") return;
    if (this.#scratch === undefined) await this.#file.write(text);
    else this.#scratch.write(Buffer.from(text));
  }
}
