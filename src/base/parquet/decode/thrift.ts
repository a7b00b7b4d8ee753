/** A struct in Thrift's compact protocol, by field id. Text and lists are checked, but not kept. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>;
type ThriftValue = number | boolean | ThriftStruct | undefined;

/** The bytes end within a struct. */
export class ThriftEndError extends Error {
  constructor() {
    super("a header is cut off");
  }
}

/** Footers have eight levels at most. */
const MAX_DEPTH = 16;

/** Ten groups of seven bits hold 64 bits. */
const MAX_VARINT_BYTES = 10;

/**
 * Reads a struct that begins at `start`, and returns it with the offset of its end. Takes time and memory in proportion to
 * its bytes, whatever they are. Throws ThriftEndError if there are too few, and Error if they are no struct.
 */
export function readThrift(
  bytes: Uint8Array,
  start: number,
): { readonly struct: ThriftStruct; readonly end: number } {
  const reader = new ThriftReader(bytes, start);
  const struct = reader.struct(0);
  return { struct, end: reader.offset };
}

/** The field of a struct if it is a struct. */
export function structOf(struct: ThriftStruct, id: number): ThriftStruct | undefined {
  const value = struct.get(id);
  return value instanceof Map ? value : undefined;
}

/** The field of a struct if it is a number. */
export function numberOf(struct: ThriftStruct, id: number): number | undefined {
  const value = struct.get(id);
  return typeof value === "number" ? value : undefined;
}

class ThriftReader {
  readonly #bytes: Uint8Array;
  offset: number;

  constructor(bytes: Uint8Array, offset: number) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  struct(depth: number): ThriftStruct {
    if (depth > MAX_DEPTH) throw new Error("a header is nested too deeply");
    const fields = new Map<number, ThriftValue>();
    let id = 0;
    for (;;) {
      const byte = this.#byte();
      const type = byte & 0x0f;
      if (type === 0) return fields;
      const step = byte >> 4;
      id = step === 0 ? this.#integer() : id + step;
      fields.set(id, this.#value(type, depth));
    }
  }

  #value(type: number, depth: number): ThriftValue {
    switch (type) {
      case 1:
      case 2:
        return type === 1;
      case 3:
        return this.#byte();
      case 4:
      case 5:
      case 6:
        return this.#integer();
      case 7:
        return this.#skip(8);
      case 8:
        return this.#skip(this.#varint());
      case 9:
        return this.#list(depth);
      case 12:
        return this.struct(depth + 1);
      default:
        throw new Error(`a header has a value of the unknown type ${type}`);
    }
  }

  #list(depth: number): undefined {
    const byte = this.#byte();
    const size = byte >> 4 === 15 ? this.#varint() : byte >> 4;
    const type = byte & 0x0f;
    // Every item takes a byte at least.
    if (size > this.#bytes.length - this.offset) throw new ThriftEndError();
    if (depth >= MAX_DEPTH) throw new Error("a header is nested too deeply");
    for (let item = 0; item < size; item += 1) {
      if (type <= 2) this.#skip(1);
      else this.#value(type, depth + 1);
    }
  }

  #skip(bytes: number): undefined {
    this.offset += bytes;
    if (this.offset > this.#bytes.length) throw new ThriftEndError();
  }

  #byte(): number {
    const byte = this.#bytes[this.offset];
    if (byte === undefined) throw new ThriftEndError();
    this.offset += 1;
    return byte;
  }

  #varint(): number {
    let value = 0;
    for (let count = 0; count < MAX_VARINT_BYTES; count += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * count);
      if (byte < 0x80) return value;
    }
    throw new Error("a header has a number of more than 64 bits");
  }

  /** Exact up to 2^53. */
  #integer(): number {
    const zigzag = this.#varint();
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  }
}
