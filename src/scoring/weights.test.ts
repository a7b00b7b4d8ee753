import { expect, test } from "vitest";
import { DEFAULT_WEIGHTS, maxTotalScore, requireWeights } from "./weights.js";

test("a perfect run scores 1.3 by default", () => {
  expect(DEFAULT_WEIGHTS).toEqual({ objective: 1, judge: 0.3 });
  expect(maxTotalScore()).toBe(1.3);
  expect(maxTotalScore({ objective: 2, judge: 0 })).toBe(2);
});

test.each([
  { objective: 0, judge: 0 },
  { objective: -1, judge: 3 },
  { objective: Number.NaN, judge: 1 },
  { objective: Number.POSITIVE_INFINITY, judge: 1 },
  { objective: Number.MAX_VALUE, judge: Number.MAX_VALUE },
])("weights that cannot normalise are refused: %o", (weights) => {
  expect(() => maxTotalScore(weights)).toThrow(RangeError);
  expect(() => requireWeights(weights)).toThrow(RangeError);
});
