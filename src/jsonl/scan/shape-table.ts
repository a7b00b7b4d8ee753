import type { Shape } from "#generated/shapes.js";

/** JSON types that the scan distinguishes, in the order of their bits in `assembly/scan-line.ts`. */
export const SHAPE_TYPES = ["string", "number", "boolean", "null", "object", "array"] as const;

/**
 * How the elements of an array are paired. A string in each element says whether it is a call or an answer.
 * Each element has a name, and an id by which an answer finds its call. Strings are identified by their path in
 * the element, such as `data/id`.
 */
export interface Pairing {
  readonly kind: string;
  readonly call: string;
  readonly answer: string;
  readonly name: string;
  readonly id: string;
}

/** Zero-filled memory into which a table is written. */
interface TableMemory {
  readonly buffer: ArrayBuffer;
  /** Start of the table and its upper limit, in bytes. */
  readonly start: number;
  readonly end: number;
  /** Hashes the bytes from `from` up to `to`. */
  hash(from: number, to: number): bigint;
}

// Number of 8-byte words per node and per entry: NODE_ENTRIES and ENTRY_SIZE of `assembly/scan-line.ts`.
const WORD = 8;
const NODE_WORDS = 5;
const ENTRY_WORDS = 4;

/** The node that accepts any value. */
const ANY = 0;

/** Writes a shape other than `{}` as the table that the scan reads. Throws RangeError if it is too large. */
export function writeShapeTable(memory: TableMemory, shape: Shape, pairing: Pairing): void {
  new ShapeTable(memory, pairing).add(shape, "");
}

class ShapeTable {
  readonly #memory: TableMemory;
  readonly #pairing: Pairing;
  readonly #view: DataView;
  #next: number;

  constructor(memory: TableMemory, pairing: Pairing) {
    this.#memory = memory;
    this.#pairing = pairing;
    this.#view = new DataView(memory.buffer);
    this.#next = memory.start;
  }

  /** Returns the address of the shape's node. `path` is its path within the element that contains it. */
  add(shape: Shape, path: string): number {
    if (Object.keys(shape).length === 0) return ANY;
    const { enum: constants = [], properties = {}, items = {} } = shape;
    const members = Object.entries(properties);
    const entries = constants.length + members.length;
    const node = this.#allocate((NODE_WORDS + ENTRY_WORDS * entries) * WORD);
    const words = [
      toTypeBits(shape),
      this.#roleOf(path),
      this.add(items, ""),
      constants.length,
      members.length,
      ...constants.flatMap((constant) => this.#addEntry(constant, this.#kindOf(constant))),
      ...members.flatMap(([key, member]) =>
        this.#addEntry(key, this.add(member, path === "" ? key : `${path}/${key}`)),
      ),
    ];
    for (const [index, word] of words.entries()) {
      this.#view.setBigUint64(node + index * WORD, BigInt(word), true);
    }
    return node;
  }

  /** KIND_ROLE, NAME_ROLE or ID_ROLE; 0 for none. */
  #roleOf(path: string): number {
    const { kind, name, id } = this.#pairing;
    return [kind, name, id].indexOf(path) + 1;
  }

  /** CALL or ANSWER of `assembly/pairing.ts`; 0 for neither. */
  #kindOf(constant: string): number {
    const { call, answer } = this.#pairing;
    return [call, answer].indexOf(constant) + 1;
  }

  #addEntry(text: string, use: number): (number | bigint)[] {
    // As it appears in a line, without the quotes.
    const bytes = Buffer.from(JSON.stringify(text).slice(1, -1));
    const at = this.#allocate(Math.ceil(bytes.length / WORD) * WORD);
    new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
    return [this.#memory.hash(at, at + bytes.length), at, bytes.length, use];
  }

  #allocate(size: number): number {
    const at = this.#next;
    this.#next += size;
    if (this.#next > this.#memory.end) throw new RangeError("the shape is too large for its table");
    return at;
  }
}

function toTypeBits({ type = SHAPE_TYPES }: Shape): number {
  return SHAPE_TYPES.reduce((bits, each, bit) => bits | (type.includes(each) ? 1 << bit : 0), 0);
}
