import type { Shape } from "#generated/shapes.js";
import { SCAN_LINE_WASM } from "./scan-line-wasm.js";
import { type Pairing, writeShapeTable } from "./shape-table.js";

/** Result of scanning a line that is a JSON object. */
export interface LineScan {
  /**
   * True if the scanned value has the required shape, each of its elements is a call or the only answer to an
   * earlier call, and the whole line has
   *
   * - no duplicate keys and no keys with escapes,
   * - no integer of more than 15 digits, and no exponent,
   * - no escaped surrogate,
   * - no tab or carriage return,
   * - no nesting beyond 100 levels.
   *
   * A line that is not plain may still be valid.
   */
  readonly isPlain: boolean;
  /** Start and end of the scanned value in the line, in bytes from 0; undefined if there is none. */
  readonly value: { readonly start: number; readonly end: number } | undefined;
}

/** Exports of `assembly/scan-line.ts`. Addresses in its memory are in bytes. */
interface ScanExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly inputAt: Global;
  readonly tableAt: Global;
  readonly tableEnd: Global;
  readonly isPlain: Global;
  readonly valueStart: Global;
  readonly valueEnd: Global;
  hash(from: number, to: number): bigint;
  reserve(size: number): number;
  scan(size: number): number;
}

interface Global {
  readonly value: number;
}

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

  /**
   * Compares the value under `key` of each line's object with `shape`, which must describe an array, and its
   * elements with `pairing`. Throws RangeError if the shape is too large for the table.
   */
  constructor(key: string, shape: Shape, pairing: Pairing) {
    this.#exports = instantiate();
    if (this.#exports === undefined) return;
    const { memory, tableAt, tableEnd, hash } = this.#exports;
    const place = { buffer: memory.buffer, start: tableAt.value, end: tableEnd.value, hash };
    writeShapeTable(place, { type: ["object"], properties: { [key]: shape } }, pairing);
  }

  /** Returns undefined if the line is not a JSON object or if that cannot be decided. `line` must be valid UTF-8. */
  scan(line: Uint8Array): LineScan | undefined {
    const found = this.#exports;
    if (found === undefined || !this.#reserve(found, line.length)) return undefined;
    const input = found.inputAt.value;
    this.#bytes.set(line, input);
    if (found.scan(line.length) === 0) return undefined;
    const [start, end] = [found.valueStart.value, found.valueEnd.value];
    return {
      isPlain: found.isPlain.value === 1,
      value: end === 0 ? undefined : { start: start - input, end: end - input },
    };
  }

  /** Tells whether a line of `size` bytes fits into memory, which is grown if necessary. */
  #reserve(found: ScanExports, size: number): boolean {
    if (size <= this.#capacity) return true;
    const capacity = Math.max(size, 2 * this.#capacity, LEAST_BYTES);
    if (found.reserve(capacity) === 0) return false;
    this.#capacity = capacity;
    // Growing the memory replaces its buffer.
    this.#bytes = new Uint8Array(found.memory.buffer);
    return true;
  }
}

let compiled: WebAssembly.Module | undefined;

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
