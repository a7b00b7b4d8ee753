import { readBits } from "./bits.js";

/** Reads integers that are stored as differences (DELTA_BINARY_PACKED), one by one. */
export class DeltaReader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #perMiniblock: number = 0;
  readonly #miniblocks: number = 0;
  #value = 0n;
  #isFirst = true;
  #minimum = 0n;
  #widths: Uint8Array = new Uint8Array();
  #miniblock = 0;
  #width = 0;
  /** Values left in the miniblock. */
  #left = 0;
  /** Where the next difference begins, in bits. */
  #bit = 0;

  /** `count` values begin at `at`. Throws Error if the bytes name another number of values. */
  constructor(bytes: Uint8Array, at: number, count: number) {
    this.#bytes = bytes;
    this.#at = at;
    if (count === 0 && at === bytes.length) return;
    const size = Number(this.#varint());
    this.#miniblocks = Number(this.#varint());
    this.#perMiniblock = size / this.#miniblocks;
    const total = Number(this.#varint());
    this.#value = this.#zigzag();
    const bytesPerBit = this.#perMiniblock / 8;
    if (bytesPerBit < 1 || !Number.isInteger(bytesPerBit)) throw new Error("a page has no blocks");
    if (total !== count) throw new Error(`a page has ${total} values instead of ${count}`);
    this.#miniblock = this.#miniblocks;
  }

  next(): bigint {
    if (this.#isFirst) {
      this.#isFirst = false;
      return this.#value;
    }
    if (this.#left === 0) this.#startMiniblock();
    this.#left -= 1;
    this.#value = BigInt.asIntN(64, this.#value + this.#minimum + this.#difference());
    return this.#value;
  }

  /** The offset behind the block, once all values are read: the last miniblock is filled up. */
  get end(): number {
    return this.#at;
  }

  #startMiniblock(): void {
    if (this.#miniblock === this.#miniblocks) {
      this.#minimum = this.#zigzag();
      this.#widths = this.#bytes.subarray(this.#at, this.#at + this.#miniblocks);
      this.#at += this.#miniblocks;
      this.#miniblock = 0;
    }
    const width = this.#widths[this.#miniblock];
    if (width === undefined || width > 64) throw new Error("a page ends within its values");
    this.#width = width;
    this.#miniblock += 1;
    this.#left = this.#perMiniblock;
    this.#bit = this.#at * 8;
    this.#at += (this.#perMiniblock / 8) * width;
  }

  #difference(): bigint {
    if (this.#width <= 48) return BigInt(this.#bits(this.#width));
    const low = BigInt(this.#bits(32));
    return low | (BigInt(this.#bits(this.#width - 32)) << 32n);
  }

  #bits(width: number): number {
    const value = readBits(this.#bytes, this.#bit, width);
    this.#bit += width;
    return value;
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new Error("a page ends within its values");
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error("a page has a number of more than 64 bits");
  }

  #zigzag(): bigint {
    const value = this.#varint();
    return (value >> 1n) ^ -(value & 1n);
  }
}

/** Reads lengths of texts that are stored as differences, and the offset behind them. */
export function readLengths(
  bytes: Uint8Array,
  at: number,
  count: number,
): { readonly lengths: readonly number[]; readonly end: number } {
  const reader = new DeltaReader(bytes, at, count);
  const lengths: number[] = [];
  while (lengths.length < count) {
    const length = Number(BigInt.asIntN(32, reader.next()));
    if (length < 0 || length > bytes.length) throw new Error("a page has a text of no length");
    lengths.push(length);
  }
  return { lengths, end: reader.end };
}
