import { readBits } from "./bits.js";

/**
 * Reads numbers in Parquet's hybrid of run-length encoding and bit packing, one by one. A run may claim any length: the
 * caller knows how many numbers there are.
 */
export class RunReader {
  readonly #bytes: Uint8Array;
  readonly #width: number;
  readonly #max: number;
  #at = 0;
  #repeated = 0;
  #packed = 0;
  #value = 0;
  /** Where the next number of a packed run begins, in bits. */
  #bit = 0;

  /** Numbers have `width` bits, and are at most `max`. */
  constructor(bytes: Uint8Array, width: number, max: number) {
    if (width > 32) throw new Error(`a page has numbers of ${width} bits`);
    this.#bytes = bytes;
    this.#width = width;
    this.#max = max;
  }

  /** Throws Error if the bytes end, or a number is too large. */
  next(): number {
    if (this.#repeated === 0 && this.#packed === 0) this.#readHeader();
    if (this.#repeated > 0) {
      this.#repeated -= 1;
      return this.#value;
    }
    this.#packed -= 1;
    const value = readBits(this.#bytes, this.#bit, this.#width);
    this.#bit += this.#width;
    return this.#check(value);
  }

  /** How many of the next `count` numbers are `value`. */
  countOf(value: number, count: number): number {
    let found = 0;
    for (let left = count; left > 0; ) {
      if (this.#repeated === 0 && this.#packed === 0) this.#readHeader();
      if (this.#repeated > 0) {
        const run = Math.min(left, this.#repeated);
        if (this.#value === value) found += run;
        this.#repeated -= run;
        left -= run;
      } else {
        if (this.next() === value) found += 1;
        left -= 1;
      }
    }
    return found;
  }

  #readHeader(): void {
    // Runs without numbers are legal. Each takes a byte at least.
    while (this.#repeated === 0 && this.#packed === 0) {
      const header = this.#readVarint();
      if (header % 2 === 1) {
        this.#packed = ((header - 1) / 2) * 8;
        this.#bit = this.#at * 8;
        this.#at += ((header - 1) / 2) * this.#width;
      } else {
        this.#repeated = header / 2;
        let value = 0;
        for (let shift = 0; shift < this.#width; shift += 8) value += this.#byte() * 2 ** shift;
        if (this.#repeated > 0) this.#value = this.#check(value);
      }
    }
  }

  #readVarint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error("a page has a run of more than 2^32 values");
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Error("a page ends within its values");
    this.#at += 1;
    return byte;
  }

  #check(value: number): number {
    if (value > this.#max) throw new Error(`a page has the number ${value}, above ${this.#max}`);
    return value;
  }
}
