import { ScratchFile } from "./scratch-file.js";

/** Encodes rows as numbers, on disk and between threads. */
export interface RowCodec<Row> {
  /** Number of numbers per row. */
  readonly width: number;
  toNumbers(row: Row): readonly number[];
  /** Decodes the row that begins at index `at`. */
  fromNumbers(numbers: Float64Array, at: number): Row;
}

/** Encodes rows as numbers, one after the other. */
export function encodeRows<Row>(
  rows: readonly Row[],
  { width, toNumbers }: RowCodec<Row>,
): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(rows.length * width);
  for (const [index, row] of rows.entries()) numbers.set(toNumbers(row), index * width);
  return numbers;
}

/** Decodes all rows in an array of numbers. */
export function* decodeRows<Row>(
  numbers: Float64Array,
  { width, fromNumbers }: RowCodec<Row>,
): Generator<Row> {
  for (let at = 0; at < numbers.length; at += width) yield fromNumbers(numbers, at);
}

const ROWS_PER_READ = 2 ** 14;
const ROWS_PER_WRITE = 2 ** 10;

/** Stores rows on disk in insertion order, so that memory use does not grow with their number. */
export class RowLog<Row> {
  readonly codec: RowCodec<Row>;
  readonly #file: ScratchFile;
  #gathered: Row[] = [];

  /** `path` must not exist. */
  constructor(path: string, codec: RowCodec<Row>) {
    this.codec = codec;
    this.#file = new ScratchFile(path);
  }

  /** Number of rows. */
  get size(): number {
    return this.#file.length / this.#rowBytes + this.#gathered.length;
  }

  /** Appends one row. Rows are buffered and written in groups. Throws as `append` does. */
  add(row: Row): void {
    this.#gathered.push(row);
    if (this.#gathered.length >= ROWS_PER_WRITE) this.#flush();
  }

  /** Appends encoded rows. Throws UserError (exit 3) if the disk is full. */
  append(rows: Float64Array): void {
    this.#flush();
    this.#write(rows);
  }

  /** The row at an index from 0. Throws RangeError if there is none. */
  at(index: number): Row {
    this.#flush();
    const numbers = new Float64Array(this.codec.width);
    const count = this.#file.readAt(index * this.#rowBytes, new Uint8Array(numbers.buffer));
    if (count < this.#rowBytes) throw new RangeError(`there is no row ${index}`);
    return this.codec.fromNumbers(numbers, 0);
  }

  /** Yields all rows. Do not add any meanwhile. */
  *read(): Generator<Row> {
    this.#flush();
    const numbers = new Float64Array(ROWS_PER_READ * this.codec.width);
    const bytes = new Uint8Array(numbers.buffer);
    for (let offset = 0; offset < this.#file.length; offset += bytes.length) {
      const count = this.#file.readAt(offset, bytes);
      const end = count / Float64Array.BYTES_PER_ELEMENT;
      yield* decodeRows(numbers.subarray(0, end), this.codec);
    }
  }

  /** Removes all rows. */
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
