import { expect, test, vi } from "vitest";
import { type Judge, judgeBranch } from "./judge-branch.js";
import type { ScoredBranch } from "./read-scores.js";
import { createCaptured } from "./testing/create-captured.js";

const branch = createCaptured({ branch_index: 3 });
const unjudged: ScoredBranch = { branch, status: undefined, parts: { objective: 1 } };

test("the judge sees the branch, and its score is kept", async () => {
  const judge = vi.fn(async () => 8.5);
  const { scored, failure } = await judgeBranch(unjudged, judge);
  expect(scored).toEqual({ ...unjudged, parts: { objective: 1, judgeScore: 8.5 } });
  expect(failure).toBeUndefined();
  expect(judge.mock.calls).toEqual([[branch]]);
});

test("a branch that was judged is not judged again", async () => {
  const judge = vi.fn(async () => 8.5);
  const judged = { ...unjudged, parts: { objective: 1, judgeScore: 0 } } as const;
  expect(await judgeBranch(judged, judge)).toEqual({ scored: judged });
  expect(judge).not.toHaveBeenCalled();
});

test("there need be no judge", async () => {
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

test.each(["10.5", "-1", '"7"', "null", "{}"])("a judge that gives %s", async (json) => {
  const { scored, failure } = await judgeBranch(unjudged, async () => JSON.parse(json));
  expect(scored).toBe(unjudged);
  expect(failure?.error).toBeInstanceOf(RangeError);
});

test("a judge that gives no number at all", async () => {
  const { failure } = await judgeBranch(unjudged, async () => Number.NaN);
  expect(failure?.error).toEqual(new RangeError("judge score must be from 0 to 10, is NaN"));
});
