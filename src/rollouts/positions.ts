import { ScratchFile } from "./rejects.js";

/** Where the line of a branch stands, so that it can be read again. */
export interface LinePosition {
  /** Hash of the branch's rollout_id. */
  readonly hash: number;
  /** Index among the inputs. */
  readonly input: number;
  /** In the decompressed input, in bytes from 0. */
  readonly offset: number;
  /** In bytes, without the newline. */
  readonly length: number;
  /** From 1. */
  readonly line: number;
  /** CRC-32 of its bytes without the newline: when they are read again, they must be the same. */
  readonly checksum: number;
}

/** Numbers per position, where positions are stored or sent as numbers. */
export const POSITION_WIDTH = 6;

/** The position in the row that begins at `index`. */
export function positionAt(rows: Float64Array, index: number): LinePosition {
  return {
    hash: rows[index] ?? 0,
    input: rows[index + 1] ?? 0,
    offset: rows[index + 2] ?? 0,
    length: rows[index + 3] ?? 0,
    line: rows[index + 4] ?? 0,
    checksum: rows[index + 5] ?? 0,
  };
}

/** The positions in all rows, or in the first `length` numbers of them. */
export function* toPositions(
  rows: Float64Array,
  length: number = rows.length,
): Generator<LinePosition> {
  for (let index = 0; index < length; index += POSITION_WIDTH) yield positionAt(rows, index);
}

/** The positions as rows of numbers. */
export function toRows(positions: readonly LinePosition[]): Float64Array<ArrayBuffer> {
  const rows = new Float64Array(positions.length * POSITION_WIDTH);
  for (const [index, position] of positions.entries()) {
    const { hash, input, offset, length, line, checksum } = position;
    rows.set([hash, input, offset, length, line, checksum], index * POSITION_WIDTH);
  }
  return rows;
}

const ROWS_PER_READ = 2 ** 14;
const ROWS_PER_WRITE = 2 ** 10;

/** How a row is written as numbers. */
export interface RowCodec<Row> {
  /** Numbers per row. */
  readonly width: number;
  toNumbers(row: Row): readonly number[];
  /** The row that begins at `at`. */
  fromNumbers(numbers: Float64Array, at: number): Row;
}

/** Rows on disk, in the order in which they were appended: memory does not grow with them. */
export class RowLog<Row> {
  readonly codec: RowCodec<Row>;
  readonly #file: ScratchFile;
  #gathered: Row[] = [];

  /** `path` must not exist. */
  constructor(path: string, codec: RowCodec<Row>) {
    this.codec = codec;
    this.#file = new ScratchFile(path);
  }

  /** How many rows it holds. */
  get size(): number {
    return this.#file.length / this.#rowBytes + this.#gathered.length;
  }

  /** Appends one row; many are written at a time. Throws as `append` does. */
  add(row: Row): void {
    this.#gathered.push(row);
    if (this.#gathered.length >= ROWS_PER_WRITE) this.#flush();
  }

  /** Appends rows of numbers. Throws UserError (exit 3) when the disk is full. */
  append(rows: Float64Array): void {
    this.#flush();
    this.#write(rows);
  }

  /** All rows; none may be added meanwhile. */
  *read(): Generator<Row> {
    this.#flush();
    const { width, fromNumbers } = this.codec;
    const numbers = new Float64Array(ROWS_PER_READ * width);
    const bytes = new Uint8Array(numbers.buffer);
    for (let offset = 0; offset < this.#file.length; offset += bytes.length) {
      const count = this.#file.readAt(offset, bytes);
      const end = count / Float64Array.BYTES_PER_ELEMENT;
      for (let at = 0; at < end; at += width) yield fromNumbers(numbers, at);
    }
  }

  /** Forgets all rows. */
  clear(): void {
    this.#gathered = [];
    this.#file.clear();
  }

  close(): void {
    this.#file.close();
  }

  get #rowBytes(): number {
    return this.codec.width * Float64Array.BYTES_PER_ELEMENT;
  }

  #flush(): void {
    if (this.#gathered.length > 0) this.#write(encodeRows(this.#gathered, this.codec));
    this.#gathered = [];
  }

  #write(rows: Float64Array): void {
    this.#file.write(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
  }
}

function encodeRows<Row>(rows: readonly Row[], { width, toNumbers }: RowCodec<Row>): Float64Array {
  const numbers = new Float64Array(rows.length * width);
  for (const [index, row] of rows.entries()) numbers.set(toNumbers(row), index * width);
  return numbers;
}

const POSITIONS: RowCodec<LinePosition> = {
  width: POSITION_WIDTH,
  toNumbers: ({ hash, input, offset, length, line, checksum }) => [
    hash,
    input,
    offset,
    length,
    line,
    checksum,
  ],
  fromNumbers: positionAt,
};

/** Positions on disk. */
export class PositionLog extends RowLog<LinePosition> {
  /** `path` must not exist. */
  constructor(path: string) {
    super(path, POSITIONS);
  }
}

/** The lowest and the highest of some numbers; of none, Infinity and -Infinity. */
export type Range = readonly [lowest: number, highest: number];

export const EMPTY_RANGE: Range = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** The range of all numbers of both. */
export function joinRanges(a: Range, b: Range): Range {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

export function rangeOf(numbers: readonly number[]): Range {
  return numbers.reduce((range: Range, number) => joinRanges(range, [number, number]), EMPTY_RANGE);
}
