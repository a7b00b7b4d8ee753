import type { Shape } from "#generated/shapes.js";

/** The types of JSON that a scan tells apart, in the order of their bits in `assembly/scan-line.ts`. */
export const SHAPE_TYPES = ["string", "number", "boolean", "null", "object", "array"] as const;

/**
 * How the elements of an array belong together: each is a call or an answer, which one string of it says, has a
 * name, and an id by which an answer finds its call. Strings are named by their paths in the element, as `data/id`.
 */
export interface Pairing {
  readonly kind: string;
  readonly call: string;
  readonly answer: string;
  readonly name: string;
  readonly id: string;
}

/** Memory into which a table is written. */
export interface TableMemory {
  readonly buffer: ArrayBuffer;
  /** Where the table may begin and has to end, in bytes. */
  readonly start: number;
  readonly end: number;
  /** Hash of the bytes from `from` up to `to`. */
  hash(from: number, to: number): bigint;
}

/** Words of a node before its lists, and of each name in them: see `assembly/scan-line.ts`. */
const NODE_WORDS = 5;
const NAME_WORDS = 4;
const WORD = 8;

const ANY = 0;

/** Prints shapes as the table that the scan reads. Its first node is that of the first shape. */
export class ShapeTable {
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

  /** Gives the address of the shape's node. Throws RangeError when the table is full. */
  add(shape: Shape, path = ""): number {
    if (Object.keys(shape).length === 0) return ANY;
    const { enum: constants = [], properties = {}, items } = shape;
    const members = Object.entries(properties);
    const names = constants.length + members.length;
    const node = this.#allocate((NODE_WORDS + NAME_WORDS * names) * WORD);
    const words = [
      toTypeBits(shape),
      this.#roleOf(path),
      items === undefined ? ANY : this.add(items),
      constants.length,
      members.length,
      ...constants.flatMap((constant) => this.#addName(constant, this.#useOf(constant))),
      ...members.flatMap(([key, member]) =>
        this.#addName(key, this.add(member, path === "" ? key : `${path}/${key}`)),
      ),
    ];
    for (const [index, word] of words.entries()) {
      this.#view.setBigUint64(node + index * WORD, BigInt(word), true);
    }
    return node;
  }

  #roleOf(path: string): number {
    const { kind, name, id } = this.#pairing;
    return [kind, name, id].indexOf(path) + 1;
  }

  #useOf(constant: string): number {
    const { call, answer } = this.#pairing;
    return [call, answer].indexOf(constant) + 1;
  }

  #addName(name: string, use: number): (number | bigint)[] {
    // As it stands in a line, but for its quotes.
    const text = Buffer.from(JSON.stringify(name).slice(1, -1));
    const at = this.#allocate(Math.ceil(text.length / WORD) * WORD);
    new Uint8Array(this.#memory.buffer, at, text.length).set(text);
    return [this.#memory.hash(at, at + text.length), at, text.length, use];
  }

  /** Zeros. */
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
