import { expect, test } from "vitest";
import { NEUTRAL_JUDGE_SCORE, totalScore } from "./total-score.js";
import { maxTotalScore } from "./weights.js";

test("objective verdict and judge are weighted", () => {
  expect(totalScore({ objective: 1, judgeScore: 10 })).toBe(maxTotalScore());
  expect(totalScore({ objective: 0, judgeScore: 0 })).toBe(0);
  expect(totalScore({ objective: 1, judgeScore: 5 }, { objective: 4, judge: 2 })).toBe(5);
});

test.each([undefined, null])("no judge (%s) counts as the neutral score", (judgeScore) => {
  expect(totalScore({ objective: 1, judgeScore })).toBe(1.15);
  expect(totalScore({ objective: 0, judgeScore })).toBe(
    totalScore({ objective: 0, judgeScore: NEUTRAL_JUDGE_SCORE }),
  );
});

test.each([-0.1, 10.1, Number.NaN])("a judge's score of %d is refused", (judgeScore) => {
  expect(() => totalScore({ objective: 1, judgeScore })).toThrow(RangeError);
});
