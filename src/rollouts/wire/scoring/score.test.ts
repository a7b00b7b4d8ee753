import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DEFAULT_WEIGHTS,
  isJudgeScore,
  maxTotalScore,
  NEUTRAL_JUDGE_SCORE,
  normaliseReward,
  requireWeights,
  totalScore,
} from "./score.js";

describe("weights", () => {
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
});

describe("totalScore", () => {
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
});

describe("normaliseReward", () => {
  test("a perfect run has reward 1, under its own weights", () => {
    expect(normaliseReward(1.3)).toBe(1);
    expect(normaliseReward(0)).toBe(0);
    expect(normaliseReward(0.65)).toBe(0.5);
    expect(normaliseReward(1.3, { objective: 2, judge: 0.6 })).toBe(0.5);
  });

  test("scores beyond the scale are clamped", () => {
    expect(normaliseReward(-3)).toBe(0);
    expect(normaliseReward(7)).toBe(1);
  });

  test("always within 0..1", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (total) => {
        const reward = normaliseReward(total);
        return reward >= 0 && reward <= 1;
      }),
    );
  });

  test("NaN is refused", () => {
    expect(() => normaliseReward(Number.NaN)).toThrow(RangeError);
  });
});

describe("isJudgeScore", () => {
  test.each([0, -0, 5, 9.75, 10])("%d", (value) => {
    expect(isJudgeScore(value)).toBe(true);
  });

  test.each([-0.1, 10.1, Number.NaN, Number.POSITIVE_INFINITY, "5", null, undefined, 5n])(
    "not %s",
    (value) => {
      expect(isJudgeScore(value)).toBe(false);
    },
  );
});
