import type { Shape } from "#generated/shapes.js";
import { SCAN_LINE_WASM } from "./scan-line-wasm.js";
import { type Pairing, writeShapeTable } from "./shape-table.js";

/** What a scan tells of a line that is a JSON object. */
export interface LineScan {
  /**
   * Whether the scanned value has its shape, each of its elements is a call or the only answer to a call before it,
   * and the whole line has
   *
   * - no object with two values under one key, and no key with escapes,
   * - no integer of more than 15 digits, and no exponent,
   * - no escaped surrogate,
   * - no tab or carriage return,
   * - nothing nested more than 100 levels deep.
   *
   * What is not plain may be in order all the same.
   */
  readonly isPlain: boolean;
  /** Where the scanned value stands in the line, in bytes from 0; undefined when there is none. */
  readonly value: { readonly start: number; readonly end: number } | undefined;
}

/** What `assembly/scan-line.ts` exports. Addresses in its memory are in bytes. */
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
 * Looks at the bytes of lines without making values of them, which costs much less: in WebAssembly, for its SIMD
 * instructions. Where that cannot be had, no line is scanned.
 */
export class LineScanner {
  readonly #exports: ScanExports | undefined;
  /** Bytes of the longest line that fits in. */
  #capacity = 0;
  /** All of the memory. */
  #bytes = new Uint8Array();

  /**
   * Holds the value under `key` of each line's object against `shape`, that of an array, and its elements against
   * `pairing`. Throws RangeError when that is too much for the table.
   */
  constructor(key: string, shape: Shape, pairing: Pairing) {
    this.#exports = instantiate();
    if (this.#exports === undefined) return;
    const { memory, tableAt, tableEnd, hash } = this.#exports;
    const place = { buffer: memory.buffer, start: tableAt.value, end: tableEnd.value, hash };
    writeShapeTable(place, { type: ["object"], properties: { [key]: shape } }, pairing);
  }

  /** Undefined for what is no object of JSON, and where that cannot be told. `line` has to be UTF-8. */
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

  /** Whether a line of `size` bytes fits in, after more memory was asked for if need be. */
  #reserve(found: ScanExports, size: number): boolean {
    if (size <= this.#capacity) return true;
    const capacity = Math.max(size, 2 * this.#capacity, LEAST_BYTES);
    if (found.reserve(capacity) === 0) return false;
    this.#capacity = capacity;
    // Memory that grew is another buffer.
    this.#bytes = new Uint8Array(found.memory.buffer);
    return true;
  }
}

let compiled: WebAssembly.Module | undefined;

/** Undefined where there is no WebAssembly, or none with SIMD, or too little address space for its memory. */
function instantiate(): ScanExports | undefined {
  try {
    compiled ??= new WebAssembly.Module(Buffer.from(SCAN_LINE_WASM, "base64"));
    const { exports } = new WebAssembly.Instance(compiled);
    return exports as ScanExports;
  } catch {
    return undefined;
  }
}
