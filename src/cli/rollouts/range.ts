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
