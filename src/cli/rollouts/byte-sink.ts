import type { JsonPiece } from "../../jsonl/printer.js";

const INITIAL_BYTES = 2 ** 16;
const NEWLINE = Uint8Array.of(0x0a);

/** Lines in UTF-8, one after the other, in memory that grows with them. */
export class ByteSink {
  #buffer: Buffer<ArrayBuffer>;
  #length = 0;

  /** `memory` is where it begins to write. */
  constructor(memory: ArrayBuffer = new ArrayBuffer(INITIAL_BYTES)) {
    this.#buffer = Buffer.from(memory);
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends what has no line breaks, given in pieces, and a newline. */
  writeLine(pieces: readonly JsonPiece[]): void {
    for (const piece of pieces) {
      if (typeof piece === "string") this.#writeText(piece);
      else this.#writeBytes(piece);
    }
    this.#writeBytes(NEWLINE);
  }

  /** All that was written; the sink is not to be used any more. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer.buffer, 0, this.#length);
  }

  #writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #writeText(text: string): void {
    // A UTF-16 code unit takes three bytes at most: they are counted only where these might not fit.
    if (this.#length + 3 * text.length > this.#buffer.length)
      this.#reserve(Buffer.byteLength(text));
    this.#length += this.#buffer.write(text, this.#length);
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, 2 * this.#buffer.length)));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
