import type { Shape } from "#generated/shapes.js";
import { SCAN_LINE_WASM } from "./scan-line-wasm.js";
import { type Pairing, ShapeTable } from "./shape-table.js";

/** What a scan tells of a line that is a JSON object. */
export interface LineScan {
  /**
   * Whether the scanned value has its shape and its elements are paired, each call before its one answer, and the line
   * holds nothing about which readers disagree: no object with two values under one key, no key with escapes, no
   * integer of more than 15 digits, no exponent, no escaped surrogate, no tab or carriage return between tokens, nothing nested more than 100 levels deep.
   * What is not plain may be in order all the same.
   */
  readonly isPlain: boolean;
  /** Where the scanned value begins and ends in the line, in bytes from 0; equal when there is none. */
  readonly start: number;
  readonly end: number;
}

/** What `assembly/scan-line.ts` exports. Addresses in its memory are in bytes. */
interface Machine {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly resultAt: Constant;
  readonly tableAt: Constant;
  readonly tableEnd: Constant;
  hash(from: number, to: number): bigint;
  reserve(size: number): number;
  scan(size: number): number;
}

interface Constant {
  readonly value: number;
}

const LEAST_BYTES = 2 ** 16;
const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * Looks at the bytes of lines without making values of them, which takes a fifth of the time of `JSON.parse`: in
 * WebAssembly, for its SIMD instructions. Where a machine has none, no line is scanned.
 */
export class LineScanner {
  readonly #machine: Machine | undefined;
  #capacity = 0;
  #inputAt = 0;
  /** All of the machine's memory. */
  #bytes = Buffer.alloc(0);
  #words = new Uint32Array();
  /** Of `#words`. */
  #resultAt = 0;

  /**
   * Holds the value under `key` of each line's object against `shape`, that of an array, and its elements against
   * `pairing`.
   */
  constructor(key: string, shape: Shape, pairing: Pairing) {
    const machine = createMachine();
    this.#machine = machine;
    if (machine === undefined) return;
    this.#hasRoom(machine, LEAST_BYTES);
    this.#resultAt = machine.resultAt.value / WORD_BYTES;
    const place = {
      buffer: machine.memory.buffer,
      start: machine.tableAt.value,
      end: machine.tableEnd.value,
      hash: machine.hash,
    };
    new ShapeTable(place, pairing).add({ type: ["object"], properties: { [key]: shape } });
  }

  /** Undefined for what is no object of JSON, and where that cannot be told. `line` has to be UTF-8. */
  scan(line: Uint8Array): LineScan | undefined {
    const machine = this.#machine;
    if (machine === undefined || !this.#hasRoom(machine, line.length)) return undefined;
    this.#bytes.set(line, this.#inputAt);
    if (machine.scan(line.length) === 0) return undefined;
    const isPlain = this.#word(this.#resultAt) === 1;
    const start = this.#word(this.#resultAt + 1);
    const end = this.#word(this.#resultAt + 2);
    if (start === end) return { isPlain, start: 0, end: 0 };
    return { isPlain, start: start - this.#inputAt, end: end - this.#inputAt };
  }

  #word(at: number): number {
    return this.#words[at] ?? 0;
  }

  /** Whether a line of `size` bytes fits in, after more memory was asked for if need be. */
  #hasRoom(machine: Machine, size: number): boolean {
    if (size <= this.#capacity) return true;
    const capacity = Math.max(size, 2 * this.#capacity);
    this.#inputAt = machine.reserve(capacity);
    if (this.#inputAt === 0) return false;
    this.#capacity = capacity;
    // Memory that grew is another buffer.
    this.#bytes = Buffer.from(machine.memory.buffer);
    this.#words = new Uint32Array(machine.memory.buffer);
    return true;
  }
}

let code: WebAssembly.Module | undefined;

function createMachine(): Machine | undefined {
  const bytes = Buffer.from(SCAN_LINE_WASM, "base64");
  if (!WebAssembly.validate(bytes)) return undefined;
  code ??= new WebAssembly.Module(bytes);
  const { exports } = new WebAssembly.Instance(code);
  return exports as Machine;
}
