import type { Shape } from "#generated/shapes.js";
import { SCAN_LINE_WASM } from "./scan-line-wasm.js";
import { type Pairing, writeShapeTable } from "./shape-table.js";

/** Result of scanning a line that is a JSON object. */
export interface LineScan {
  /**
   * True if the whole line has
   *
   * - no duplicate keys and no keys with escapes,
   * - no integer of more than 15 digits, and no exponent,
   * - no escaped surrogate,
   * - no tab or carriage return,
   * - no nesting beyond 100 levels.
   *
   * If it is false, the line may still follow all line rules. The same holds for the following: false may be a doubt.
   */
  readonly followsLineRules: boolean;
  /** Whether the object fits the shape, apart from its list. */
  readonly fits: boolean;
  /** Whether the list fits its shape, or is absent. */
  readonly listFits: boolean;
  /** Whether each element of the list is a call or the only answer to an earlier call. */
  readonly isPaired: boolean;
}

// Bits of the result of `scan` in `assembly/scan-line.ts`.
const FOLLOWS_LINE_RULES = 2;
const FITS = 4;
const LIST_FITS = 8;
const IS_PAIRED = 16;

/** Exports of `assembly/scan-line.ts`. Addresses in its memory are in bytes. */
interface ScanExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly inputAt: Global;
  readonly tableAt: Global;
  readonly tableEnd: Global;
  hash(from: number, to: number): bigint;
  reserve(size: number): number;
  scan(size: number): number;
}

interface Global {
  readonly value: number;
}

/** What is used of WebAssembly. The types of Node do not declare it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const LEAST_BYTES = 2 ** 16;

/**
 * Scans the bytes of lines without parsing them, which is much faster. Uses WebAssembly for its SIMD
 * instructions. Where WebAssembly is unavailable, `scan` always returns undefined.
 */
export class LineScanner {
  readonly #exports: ScanExports | undefined;
  /** Length of the longest line that fits into memory, in bytes. Before memory is reserved, not even an empty line does. */
  #capacity = -1;
  /** A view of the whole memory. */
  #bytes = new Uint8Array();
  /** Start and end of each member of the shape in the most recent line, as addresses; zeros if it is absent. */
  #places = new Uint32Array();
  readonly #members: number;
  /** Address of the line. */
  readonly #input: number = 0;

  /**
   * Compares each line's object with `shape`, and the elements of its list with `pairing`. Throws RangeError if the
   * shape is too large for the table.
   */
  constructor(shape: Shape, pairing: Pairing) {
    this.#exports = instantiate();
    this.#members = Object.keys(shape.properties ?? {}).length;
    if (this.#exports === undefined) return;
    const { memory, inputAt, tableAt, tableEnd, hash } = this.#exports;
    this.#input = inputAt.value;
    const place = { buffer: memory.buffer, start: tableAt.value, end: tableEnd.value, hash };
    writeShapeTable(place, shape, pairing);
  }

  /** Returns undefined if the line is not a JSON object or if that cannot be decided. `line` must be valid UTF-8. */
  scan(line: Uint8Array): LineScan | undefined {
    const found = this.#exports;
    if (found === undefined || !this.#reserve(found, line.length)) return undefined;
    this.#bytes.set(line, this.#input);
    const bits = found.scan(line.length);
    if (bits === 0) return undefined;
    return {
      followsLineRules: (bits & FOLLOWS_LINE_RULES) !== 0,
      fits: (bits & FITS) !== 0,
      listFits: (bits & LIST_FITS) !== 0,
      isPaired: (bits & IS_PAIRED) !== 0,
    };
  }

  /**
   * Where a member of the shape begins and ends in the most recent line, in bytes; 0 and 0 if it is absent. Of several
   * with the same key, the last. The line must be an object. `member` is the index of its key in the shape.
   */
  startOf(member: number): number {
    return (this.#places[2 * member] || this.#input) - this.#input;
  }

  endOf(member: number): number {
    return (this.#places[2 * member + 1] || this.#input) - this.#input;
  }

  /** Tells whether a line of `size` bytes fits into memory, which is grown if necessary. */
  #reserve(found: ScanExports, size: number): boolean {
    if (size <= this.#capacity) return true;
    const capacity = Math.max(size, 2 * this.#capacity, LEAST_BYTES);
    if (found.reserve(capacity) === 0) return false;
    this.#capacity = capacity;
    // Growing the memory replaces its buffer.
    this.#bytes = new Uint8Array(found.memory.buffer);
    this.#places = new Uint32Array(found.memory.buffer, 0, 2 * this.#members);
    return true;
  }
}

let compiled: object | undefined;

/** Returns undefined if WebAssembly or SIMD is unavailable, or if there is too little address space for its memory. */
function instantiate(): ScanExports | undefined {
  try {
    compiled ??= new WebAssembly.Module(Buffer.from(SCAN_LINE_WASM, "base64"));
    const { exports } = new WebAssembly.Instance(compiled);
    return exports as ScanExports;
  } catch {
    return undefined;
  }
}
