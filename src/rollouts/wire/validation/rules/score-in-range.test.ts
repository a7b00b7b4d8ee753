import { describe, expect, test } from "vitest";
import type { EntryTypeName } from "#generated/index.js";
import type { ScoreWeights } from "../../scoring/score.js";
import { scoreInRange } from "./score-in-range.js";

function check(record: object, type: EntryTypeName, weights?: ScoreWeights): string[] {
  const faults = scoreInRange.check({ ...record }, type, weights && { weights });
  return faults.map(({ pointer, message }) => `${pointer}: ${message}`);
}

const ranked = (total_score: number, weights?: ScoreWeights): string[] =>
  check({ total_score }, "RolloutBranchRecord", weights);

describe("the range", () => {
  test.each([0, -0, 0.15, 1.3, 1 + 0.1 + 0.1 + 0.1, 1.3 + 9e-10, -9e-10])(
    "%s is in it",
    (score) => {
      expect(ranked(score)).toEqual([]);
    },
  );

  test.each([1.3 + 2e-9, -2e-9, 1.31, -1, 8.5, 1e300])("%s is outside", (score) => {
    expect(ranked(score)).toEqual([
      `/total_score: is ${score}, but must be 0 to 1.3 with --weights objective=1,judge=0.3`,
    ]);
  });

  test("depends on the weights", () => {
    expect(ranked(1.15, { objective: 1, judge: 0 })).toEqual([
      "/total_score: is 1.15, but must be 0 to 1 with --weights objective=1,judge=0",
    ]);
    expect(ranked(1.15, { objective: 0.1, judge: 0.2 })).toEqual([
      "/total_score: is 1.15, but must be 0 to 0.3 with --weights objective=0.1,judge=0.2",
    ]);
    expect(ranked(13, { objective: 10, judge: 3 })).toEqual([]);
  });

  test("the tolerance grows with the weights", () => {
    const weights = { objective: 1e9, judge: 1e8 };
    expect(ranked(1.1e9 + 0.5, weights)).toEqual([]);
    expect(ranked(1.1e9 + 2, weights)).toHaveLength(1);
  });
});

describe("records", () => {
  test("the reward of a flat record is a raw score, that of a training record is not", () => {
    expect(check({ reward: 2 }, "PpoRecord")).toHaveLength(1);
    expect(check({ reward: 1.3 }, "PpoRecord")).toEqual([]);
    expect(check({ reward: 1 }, "PpoTrainingRecord", { objective: 0.5, judge: 0 })).toEqual([]);
  });

  test("both sides of a pair", () => {
    const provenance = { total_score: { chosen: 2, rejected: -1 } };
    const pointers = check({ provenance }, "DpoTrainingRecord").map((text) => text.split(":")[0]);
    expect(pointers).toEqual([
      "/provenance/total_score/chosen",
      "/provenance/total_score/rejected",
    ]);
    expect(check({ provenance: {} }, "DpoTrainingRecord")).toEqual([]);
  });

  test("branches that are not ranked are ignored, and so are other records", () => {
    expect(check({ total_score: 8 }, "RolloutBranch")).toEqual([]);
    expect(check({ total_score: 8, reward: 8 }, "DpoRecord")).toEqual([]);
  });
});
