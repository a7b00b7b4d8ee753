import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRolloutBranchRecord } from "#generated/index.js";
import { UserError } from "../user-error.js";
import { rankScored } from "./rank-scored.js";
import { capturedRollout } from "./testing/captured-rollout.js";
import { createCaptured } from "./testing/create-captured.js";
import type { ScoreWeights } from "./weights.js";

/** Fields that ranking sets; `judge_score` it only sets to what it was. */
const SET_BY_RANKING = ["rank", "total_score", "objective_score", "objective_status"];

const weights: fc.Arbitrary<ScoreWeights> = fc.record({
  objective: fc.double({ min: 0, max: 100, noNaN: true }),
  judge: fc.double({ min: 0.01, max: 100, noNaN: true }),
});

describe("any rollout", () => {
  test("its ranks are 1..n, once each, and follow the scores, then the index", () => {
    fc.assert(
      fc.property(capturedRollout, weights, (rollout, weights) => {
        const ranked = rankScored(
          rollout.map(({ branch }) => branch),
          { weights },
        );
        expect(ranked.map(({ rank }) => rank)).toEqual(rollout.map((_, at) => at + 1));
        for (const [at, better] of ranked.entries()) {
          const worse = ranked[at + 1];
          if (worse === undefined) continue;
          const tied = better.total_score === worse.total_score;
          expect(better.total_score).toBeGreaterThanOrEqual(worse.total_score);
          expect(tied && better.branch_index > worse.branch_index).toBe(false);
        }
      }),
    );
  });

  test("its scores are those of the formula, to the last bit", () => {
    fc.assert(
      fc.property(capturedRollout, weights, (rollout, weights) => {
        const branches = rollout.map(({ branch }) => branch);
        for (const { objective, judge, branch } of rollout) {
          const isBranch = (each: { branch_index: number }) =>
            each.branch_index === branch.branch_index;
          const byDefault = rankScored(branches).find(isBranch);
          expect(byDefault?.objective_score).toBe(objective);
          expect(byDefault?.total_score).toBe(objective * 1.0 + (judge / 10) * 0.3);
          expect(rankScored(branches, { weights }).find(isBranch)?.total_score).toBe(
            objective * weights.objective + (judge / 10) * weights.judge,
          );
        }
      }),
    );
  });

  test("the order of its branches does not matter, and they are left alone", () => {
    const shuffled = capturedRollout.chain((rollout) => {
      const branches = rollout.map(({ branch }) => branch);
      return fc.tuple(
        fc.constant(branches),
        fc.shuffledSubarray(branches, { minLength: branches.length }),
      );
    });
    fc.assert(
      fc.property(shuffled, ([branches, others]) => {
        const before = JSON.stringify(branches);
        expect(JSON.stringify(rankScored(others))).toBe(JSON.stringify(rankScored(branches)));
        expect(JSON.stringify(branches)).toBe(before);
      }),
    );
  });

  test("its records are valid, and keep every field in its place", () => {
    fc.assert(
      fc.property(capturedRollout, (rollout) => {
        const branches = rollout.map(({ branch }) => branch);
        for (const record of rankScored(branches)) {
          const branch = branches.find((each) => each.branch_index === record.branch_index) ?? {};
          const keys = Object.keys(branch);
          expect(isRolloutBranchRecord(record)).toBe(true);
          expect(Object.keys(record).slice(0, keys.length)).toEqual(keys);
          expect(SET_BY_RANKING).toEqual(
            expect.arrayContaining(Object.keys(record).slice(keys.length)),
          );
          for (const [key, value] of Object.entries(branch)) {
            if (key !== "rank" && key !== "total_score") expect(record[key]).toBe(value);
          }
        }
      }),
    );
  });

  test("ranked again, it does not change", () => {
    fc.assert(
      fc.property(capturedRollout, (rollout) => {
        const ranked = rankScored(rollout.map(({ branch }) => branch));
        expect(JSON.stringify(rankScored(ranked))).toBe(JSON.stringify(ranked));
      }),
    );
  });
});

test("a field that is called __proto__ survives", () => {
  const [record] = rankScored([
    { ...createCaptured({ objective_score: 1 }), ...JSON.parse('{"__proto__": {"a": 1}}') },
  ]);
  expect(JSON.stringify(record)).toContain('"__proto__":{"a":1}');
});

test("a build that has not ended stays unknown to those who read the record", () => {
  const [record] = rankScored([createCaptured({ build_result: { status: "running" } })]);
  expect(record).toMatchObject({ objective_status: "unknown", objective_score: 0 });
});

test("the verifier is told what the branch is", () => {
  const branches = ["four", "five"].map((final_answer, branch_index) =>
    createCaptured({ final_answer, branch_index }),
  );
  const ranked = rankScored(branches, {
    verifier: ({ final_answer }) => (final_answer === "five" ? "pass" : "fail"),
  });
  expect(ranked.map(({ final_answer, total_score }) => [final_answer, total_score])).toEqual([
    ["five", 1.15],
    ["four", 0.15],
  ]);
});

test("what cannot be ranked is refused", () => {
  const branch = createCaptured({ objective_score: 1 });
  expect(() => rankScored([])).toThrow(TypeError);
  expect(() => rankScored([branch, branch])).toThrow(TypeError);
  expect(() => rankScored([createCaptured()])).toThrow(UserError);
  expect(() => rankScored([branch], { weights: { objective: -1, judge: 2 } })).toThrow(RangeError);
});
