/** Where the line of a branch stands, so that it can be read again. */
export interface LinePosition {
  /** Hash of the branch's rollout_id. */
  readonly hash: number;
  /** Index among the inputs. */
  readonly input: number;
  /** In the unpacked input, in bytes from 0. */
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
