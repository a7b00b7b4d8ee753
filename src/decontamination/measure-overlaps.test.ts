import { expect, test } from "vitest";
import { measureOverlaps } from "./measure-overlaps.js";

const texts = [
  { start: 0, end: 2, items: [] },
  { start: 2, end: 12, items: [] },
  { start: 12, end: 15, items: [] },
];
const measured = (positions: number[], n: number) =>
  measureOverlaps(texts, Int32Array.from(positions), n).map(({ text, ...rest }) => ({
    start: text.start,
    ...rest,
  }));

test("measures nothing where nothing is shared", () => {
  expect(measured([], 3)).toEqual([]);
});

test("takes a text shorter than n as one window", () => {
  expect(measured([0], 3)).toEqual([{ start: 0, first: 0, width: 2, covered: 2, longestSpan: 2 }]);
});

test("joins windows that overlap or touch, and counts each token once", () => {
  const covered = { start: 2, first: 3, width: 3 };
  expect(measured([3, 4], 3)).toEqual([{ ...covered, covered: 4, longestSpan: 4 }]);
  expect(measured([3, 6], 3)).toEqual([{ ...covered, covered: 6, longestSpan: 6 }]);
  expect(measured([3, 7, 8], 3)).toEqual([{ ...covered, covered: 7, longestSpan: 4 }]);
});

test("keeps texts apart that lie next to each other", () => {
  expect(measured([0, 9, 12], 3)).toEqual([
    { start: 0, first: 0, width: 2, covered: 2, longestSpan: 2 },
    { start: 2, first: 9, width: 3, covered: 3, longestSpan: 3 },
    { start: 12, first: 12, width: 3, covered: 3, longestSpan: 3 },
  ]);
});
