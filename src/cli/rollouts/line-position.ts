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
}

/** Numbers per position, where positions are stored or sent as numbers. */
export const POSITION_WIDTH = 5;

/** The position in the row that begins at `index`. */
export function positionAt(rows: Float64Array, index: number): LinePosition {
  const [hash = 0, input = 0, offset = 0, length = 0, line = 0] = rows.subarray(
    index,
    index + POSITION_WIDTH,
  );
  return { hash, input, offset, length, line };
}

/** The positions as rows of numbers. */
export function toRows(positions: readonly LinePosition[]): Float64Array<ArrayBuffer> {
  const rows = new Float64Array(positions.length * POSITION_WIDTH);
  for (const [index, { hash, input, offset, length, line }] of positions.entries()) {
    rows.set([hash, input, offset, length, line], index * POSITION_WIDTH);
  }
  return rows;
}
