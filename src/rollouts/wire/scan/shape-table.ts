import type { Shape } from "#generated/shapes.js";
import { SHAPE_TYPES } from "../../../base/json/value.js";

/** Most members of an object that are required or have a place: one bit each. */
const MAX_MEMBERS = 64;

/**
 * How the elements of a list are paired. A string in each element says whether it is a call or an answer.
 * Each element has a name, and an id by which an answer finds its call. Strings are identified by their path in
 * the element, such as `data/id`.
 */
export interface Pairing {
  /** Key of the list in the line's object. */
  readonly list: string;
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

// Number of 8-byte words per node and per entry: NODE_ENTRIES and ENTRY_SIZE of `assembly/table.ts`.
const WORD = 8;
const NODE_WORDS = 9;
const ENTRY_WORDS = 4;

/** The node that accepts any value. */
const ANY = 0;

/** NODE_ROLE of the list. */
const LIST_ROLE = 4;

/** Writes the shape of an object as the table that the scan reads. Throws RangeError if it is too large. */
export function writeShapeTable(memory: TableMemory, shape: Shape, pairing: Pairing): void {
  new ShapeTable(memory, pairing).addLine(shape);
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

  addLine(shape: Shape): void {
    const { list } = this.#pairing;
    this.#add(shape, 0, (key, member) =>
      key === list
        ? this.#add(member, LIST_ROLE, undefined, (element) => this.#addElement(element, ""))
        : this.#add(member),
    );
  }

  /** `path` is the path of the shape within the element that contains it. */
  #addElement(shape: Shape, path: string): number {
    return this.#add(shape, this.#roleOf(path), (key, member) =>
      this.#addElement(member, path === "" ? key : `${path}/${key}`),
    );
  }

  /** Returns the address of the shape's node. */
  #add(
    shape: Shape,
    role = 0,
    addMember: (key: string, member: Shape) => number = (_, member) => this.#add(member),
    addItems: (items: Shape) => number = (items) => this.#add(items),
  ): number {
    if (role === 0 && Object.keys(shape).length === 0) return ANY;
    const { enum: constants = [], properties = {}, required = [], items = {} } = shape;
    const keys = Object.keys(properties);
    if (keys.length > MAX_MEMBERS) throw new RangeError("the shape has too many members");
    if (!required.every((key) => keys.includes(key))) {
      throw new RangeError("the shape requires a key without a property");
    }
    const entries = constants.length + keys.length;
    const node = this.#allocate((NODE_WORDS + ENTRY_WORDS * entries) * WORD);
    const words = [
      toTypeBits(shape),
      role,
      addItems(items),
      constants.length,
      keys.length,
      required.reduce((bits, key) => bits | (1n << BigInt(keys.indexOf(key))), 0n),
      toFloatBits(shape.minimum ?? Number.NEGATIVE_INFINITY),
      toFloatBits(shape.maximum ?? Number.POSITIVE_INFINITY),
      Math.max(shape.minLength ?? 0, shape.minItems ?? 0),
      ...constants.flatMap((constant) => this.#addEntry(constant, this.#kindOf(constant))),
      ...Object.entries(properties).flatMap(([key, member]) =>
        this.#addEntry(key, addMember(key, member)),
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
  #kindOf(constant: string | number): number {
    const { call, answer } = this.#pairing;
    return [call, answer].indexOf(String(constant)) + 1;
  }

  #addEntry(text: string | number, use: number): (number | bigint)[] {
    // As it appears in a line, without the quotes.
    const json = JSON.stringify(text);
    const bytes = Buffer.from(typeof text === "string" ? json.slice(1, -1) : json);
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

/** The bits of a 64-bit float. */
function toFloatBits(value: number): bigint {
  return new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n;
}
