import type { ScratchFile } from "../../../base/files/scratch-file.js";

/** Takes the lines of branches, one after the other. */
export interface BranchFile {
  /** Throws UserError (exit 3) if it cannot be written. */
  write(lines: string | Uint8Array): void | Promise<void>;
}

/** Number of characters written at a time. */
const WRITE_LENGTH = 2 ** 20;
const NEWLINE = 0x0a;

/** Where the line of a branch is in the temporary file, in bytes. */
export interface WrittenLine {
  readonly start: number;
  readonly length: number;
}

/** Writes imported branches to a temporary file first, because some may be changed or dropped once all are known. */
export class BranchOutput {
  readonly #file: BranchFile;
  readonly #scratch: ScratchFile;
  /** Lines that stand in the place of others. */
  readonly #changed: ScratchFile;
  readonly #replaced = new Map<number, WrittenLine>();
  #waiting: string[] = [];
  #length = 0;
  /** Number of bytes of all lines. */
  #end = 0;
  #branches = 0;
  /** One bit per branch: set if it is dropped. */
  #dropped = new Uint8Array();

  constructor(file: BranchFile, scratch: ScratchFile, changed: ScratchFile) {
    this.#file = file;
    this.#scratch = scratch;
    this.#changed = changed;
  }

  /** Number of branches added. */
  get branches(): number {
    return this.#branches;
  }

  /** Adds a branch as JSON. Throws UserError (exit 3) if it cannot be written. */
  add(line: string): WrittenLine {
    this.#waiting.push(line, "\n");
    this.#length += line.length;
    this.#branches += 1;
    const written = { start: this.#end, length: Buffer.byteLength(line) };
    this.#end += written.length + 1;
    if (this.#length >= WRITE_LENGTH) this.#flush();
    return written;
  }

  /** The line of a branch, given by its place among those added, from 0, and where it was written. */
  read({ ordinal, written }: { readonly ordinal: number; readonly written: WrittenLine }): string {
    this.#flush();
    const replaced = this.#replaced.get(ordinal);
    return replaced ? readLine(this.#changed, replaced) : readLine(this.#scratch, written);
  }

  /** Replaces the line of a branch, given by its place among those added, from 0. Call it after all were added. */
  replace(ordinal: number, line: string): void {
    const bytes = Buffer.from(line);
    this.#replaced.set(ordinal, { start: this.#changed.length, length: bytes.length });
    this.#changed.write(bytes);
  }

  /** Drops a branch, given by its place among those added, from 0. Call it after all were added. */
  drop(ordinal: number): void {
    if (this.#dropped.length === 0) this.#dropped = new Uint8Array(Math.ceil(this.#branches / 8));
    const byte = this.#dropped[ordinal >> 3] ?? 0;
    this.#dropped[ordinal >> 3] = byte | (1 << (ordinal & 7));
  }

  /** Moves the branches to their file, except those that were dropped. With `gaps`, an empty line stands for each of these. */
  async finish(gaps = false): Promise<void> {
    this.#flush();
    let ordinal = 0;
    for (const chunk of this.#scratch.read()) {
      let start = 0;
      for (let end = 0; end < chunk.length; ) {
        const newline = chunk.indexOf(NEWLINE, end);
        const next = newline < 0 ? chunk.length : newline + 1;
        const isDropped = this.#isDropped(ordinal);
        const replaced = this.#replaced.get(ordinal);
        if (isDropped || replaced !== undefined) {
          if (start < end) await this.#file.write(chunk.subarray(start, end));
          if (replaced && !isDropped && newline >= 0) {
            await this.#file.write(readLine(this.#changed, replaced));
          }
          start = (gaps || !isDropped) && newline >= 0 ? newline : next;
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

  #flush(): void {
    if (this.#waiting.length > 0) this.#scratch.write(Buffer.from(this.#waiting.join("")));
    this.#waiting = [];
    this.#length = 0;
  }
}

function readLine(file: ScratchFile, { start, length }: WrittenLine): string {
  const bytes = Buffer.alloc(length);
  file.readAt(start, bytes);
  return bytes.toString("utf8");
}
