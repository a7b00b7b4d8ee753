import { describe, expect, test, vi } from "vitest";
import { type Judge, judgeBranch, readScores, type ScoredBranch } from "./judge.js";
import { buildPasses } from "./objective.js";
import { createCaptured } from "./testing/create-captured.js";

describe("judgeBranch", () => {
  const branch = createCaptured({ branch_index: 3 });
  const unjudged: ScoredBranch = { branch, status: undefined, parts: { objective: 1 } };

  test("the judge receives the branch, and its score is stored", async () => {
    const judge = vi.fn(async () => 8.5);
    const { scored, failure } = await judgeBranch(unjudged, judge);
    expect(scored).toEqual({ ...unjudged, parts: { objective: 1, judgeScore: 8.5 } });
    expect(failure).toBeUndefined();
    expect(judge.mock.calls).toEqual([[branch]]);
  });

  test("a branch with a judge score is not judged again", async () => {
    const judge = vi.fn(async () => 8.5);
    const judged = { ...unjudged, parts: { objective: 1, judgeScore: 0 } } as const;
    expect(await judgeBranch(judged, judge)).toEqual({ scored: judged });
    expect(judge).not.toHaveBeenCalled();
  });

  test("works without a judge", async () => {
    expect(await judgeBranch(unjudged, undefined)).toEqual({ scored: unjudged });
  });

  const refusal = new Error("no answer from the model");

  test.each<[string, Judge]>([
    ["rejects", () => Promise.reject(refusal)],
    [
      "throws",
      () => {
        throw refusal;
      },
    ],
  ])("a judge that %s", async (_, judge) => {
    const failure = { branchIndex: 3, error: refusal };
    expect(await judgeBranch(unjudged, judge)).toEqual({ scored: unjudged, failure });
  });

  test.each(["10.5", "-1", '"7"', "null", "{}"])("a judge that returns %s", async (json) => {
    const { scored, failure } = await judgeBranch(unjudged, async () => JSON.parse(json));
    expect(scored).toBe(unjudged);
    expect(failure?.error).toBeInstanceOf(RangeError);
  });

  test("a judge that returns no number", async () => {
    const { failure } = await judgeBranch(unjudged, async () => Number.NaN);
    expect(failure?.error).toEqual(new RangeError("judge score must be from 0 to 10, is NaN"));
  });
});

describe("readScores", () => {
  test("the branch itself, with its scores", () => {
    const branch = createCaptured({ objective_status: "pass", judge_score: 7.5 });
    const { scored } = readScores(branch, buildPasses);
    expect(scored).toEqual({ branch, status: "pass", parts: { objective: 1, judgeScore: 7.5 } });
    expect(scored?.branch).toBe(branch);
  });

  test.each([undefined, null])("no judge score (%s)", (judge_score) => {
    const { scored } = readScores(createCaptured({ objective_score: 0, judge_score }), buildPasses);
    expect(scored?.parts).toEqual({ objective: 0, judgeScore: undefined });
  });

  test.each([10.1, -1, "7", Number.NaN, true])(
    "a judge's score of %j is a fault",
    (judge_score) => {
      const reading = readScores(createCaptured({ objective_score: 0, judge_score }), buildPasses);
      expect(reading.fault).toMatchObject({ id: "judge-score-range", pointer: "/judge_score" });
    },
  );

  test("the objective verdict's fault comes first", () => {
    const { fault } = readScores(createCaptured({ judge_score: 11 }), buildPasses);
    expect(fault?.id).toBe("no-objective");
  });
});
