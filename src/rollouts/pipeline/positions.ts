import type { RowCodec } from "../../base/files/row-log.js";

/** The position of a branch's line, so that it can be read again. */
export interface LinePosition {
  /** Hash of the branch's rollout_id. */
  readonly hash: number;
  /** Index of the file among the inputs. */
  readonly input: number;
  /** Byte offset in the decompressed input, from 0. */
  readonly offset: number;
  /** Length in bytes, without the newline. 0: the branch was left out as invalid, and only counts. */
  readonly length: number;
  /** Line number, from 1. */
  readonly line: number;
  /** CRC-32 of the line without its newline. It must be the same when the line is read again. */
  readonly checksum: number;
  /** For a record of a JSON text: the column in which it begins. */
  readonly column?: number | undefined;
}

/** Encodes positions as numbers. */
export const positionCodec: RowCodec<LinePosition> = {
  width: 7,
  toNumbers: ({ hash, input, offset, length, line, checksum, column = 0 }) => [
    hash,
    input,
    offset,
    length,
    line,
    checksum,
    column,
  ],
  fromNumbers: (numbers, at) => ({
    hash: numbers[at] ?? 0,
    input: numbers[at + 1] ?? 0,
    offset: numbers[at + 2] ?? 0,
    length: numbers[at + 3] ?? 0,
    line: numbers[at + 4] ?? 0,
    checksum: numbers[at + 5] ?? 0,
    column: numbers[at + 6] || undefined,
  }),
};

/** Lowest and highest of several numbers. For no numbers: Infinity and -Infinity. */
export type Range = readonly [lowest: number, highest: number];

export const EMPTY_RANGE: Range = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** The range that covers both. */
export function joinRanges(a: Range, b: Range): Range {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

export function rangeOf(numbers: readonly number[]): Range {
  return numbers.reduce((range: Range, number) => joinRanges(range, [number, number]), EMPTY_RANGE);
}
