import { type LinePosition, POSITION_WIDTH, toPositions, toRows } from "./line-position.js";
import { ScratchFile } from "./scratch-file.js";

const ROW_BYTES = POSITION_WIDTH * Float64Array.BYTES_PER_ELEMENT;
const ROWS_PER_READ = 2 ** 14;
const ROWS_PER_WRITE = 2 ** 10;

/** Positions on disk, in the order in which they were appended: memory does not grow with them. */
export class PositionLog {
  readonly #file: ScratchFile;
  #gathered: LinePosition[] = [];

  /** `path` must not exist. */
  constructor(path: string) {
    this.#file = new ScratchFile(path);
  }

  /** How many positions it holds. */
  get size(): number {
    return this.#file.length / ROW_BYTES + this.#gathered.length;
  }

  /** Appends one position; many are written at a time. Throws as `append` does. */
  add(position: LinePosition): void {
    this.#gathered.push(position);
    if (this.#gathered.length >= ROWS_PER_WRITE) this.#flush();
  }

  /** Appends rows of numbers. Throws UserError (exit 3) when the disk is full. */
  append(rows: Float64Array): void {
    this.#flush();
    this.#write(rows);
  }

  #flush(): void {
    if (this.#gathered.length > 0) this.#write(toRows(this.#gathered));
    this.#gathered = [];
  }

  #write(rows: Float64Array): void {
    this.#file.write(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
  }

  /** All positions; none may be added meanwhile. */
  *read(): Generator<LinePosition> {
    this.#flush();
    const rows = new Float64Array(ROWS_PER_READ * POSITION_WIDTH);
    const bytes = new Uint8Array(rows.buffer);
    for (let offset = 0; offset < this.#file.length; offset += bytes.length) {
      const count = this.#file.readAt(offset, bytes);
      const end = count / Float64Array.BYTES_PER_ELEMENT;
      yield* toPositions(rows, end);
    }
  }

  /** Forgets all positions. */
  clear(): void {
    this.#gathered = [];
    this.#file.clear();
  }

  close(): void {
    this.#file.close();
  }
}
