import type { RowCodec } from "../files/row-log.js";

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

/** Positions as numbers. */
export const positionCodec: RowCodec<LinePosition> = {
  width: 6,
  toNumbers: ({ hash, input, offset, length, line, checksum }) => [
    hash,
    input,
    offset,
    length,
    line,
    checksum,
  ],
  fromNumbers: (numbers, at) => ({
    hash: numbers[at] ?? 0,
    input: numbers[at + 1] ?? 0,
    offset: numbers[at + 2] ?? 0,
    length: numbers[at + 3] ?? 0,
    line: numbers[at + 4] ?? 0,
    checksum: numbers[at + 5] ?? 0,
  }),
};

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
