import { expect, test } from "vitest";
import { buildPasses } from "./build-passes.js";
import { readScores } from "./read-scores.js";
import { createCaptured } from "./testing/create-captured.js";

test("the branch itself, with its scores", () => {
  const branch = createCaptured({ objective_status: "pass", judge_score: 7.5 });
  const { scored } = readScores(branch, buildPasses);
  expect(scored).toEqual({ branch, status: "pass", parts: { objective: 1, judgeScore: 7.5 } });
  expect(scored?.branch).toBe(branch);
});

test.each([undefined, null])("no judge (%s)", (judge_score) => {
  const { scored } = readScores(createCaptured({ objective_score: 0, judge_score }), buildPasses);
  expect(scored?.parts).toEqual({ objective: 0, judgeScore: undefined });
});

test.each([10.1, -1, "7", Number.NaN, true])("a judge's score of %j is a fault", (judge_score) => {
  const reading = readScores(createCaptured({ objective_score: 0, judge_score }), buildPasses);
  expect(reading.fault).toMatchObject({ id: "judge-score-range", pointer: "/judge_score" });
});

test("the objective verdict's fault comes first", () => {
  const { fault } = readScores(createCaptured({ judge_score: 11 }), buildPasses);
  expect(fault?.id).toBe("no-objective");
});
