import { expect, test } from "vitest";
import { isJudgeScore } from "./is-judge-score.js";

test.each([0, -0, 5, 9.75, 10])("%d", (value) => {
  expect(isJudgeScore(value)).toBe(true);
});

test.each([-0.1, 10.1, Number.NaN, Number.POSITIVE_INFINITY, "5", null, undefined, 5n])(
  "not %s",
  (value) => {
    expect(isJudgeScore(value)).toBe(false);
  },
);
