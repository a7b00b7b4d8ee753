import type { ScratchFile } from "../../../base/files/scratch-file.js";
import type { StagedFile } from "../../../base/files/staging.js";

/** Number of characters written at a time. */
const WRITE_LENGTH = 2 ** 20;
const NEWLINE = 0x0a;

/** Writes imported branches to their file, or to a scratch file first if some of them may be dropped later. */
export class BranchOutput {
  readonly #file: StagedFile;
  readonly #scratch: ScratchFile | undefined;
  #waiting: string[] = [];
  #length = 0;
  #branches = 0;

  constructor(file: StagedFile, scratch: ScratchFile | undefined) {
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

  /** Moves the branches to their file, except those whose ordinals `isDropped` accepts. */
  async finish(isDropped: (ordinal: number) => boolean): Promise<void> {
    await this.#flush();
    if (this.#scratch === undefined) return;
    let ordinal = 0;
    for (const chunk of this.#scratch.read()) {
      let start = 0;
      for (let end = 0; end < chunk.length; ) {
        const newline = chunk.indexOf(NEWLINE, end);
        const next = newline < 0 ? chunk.length : newline + 1;
        if (isDropped(ordinal)) {
          if (start < end) await this.#file.write(chunk.subarray(start, end));
          start = next;
        }
        end = next;
        if (newline >= 0) ordinal += 1;
      }
      if (start < chunk.length) await this.#file.write(chunk.subarray(start));
    }
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
