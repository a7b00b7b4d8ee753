import { expect, test } from "vitest";
import type { RolloutBranch } from "#generated/index.js";
import { EXIT, UserError } from "../user-error.js";
import { buildPasses } from "./build-passes.js";
import { scoreBranches } from "./score-branches.js";
import { createCaptured } from "./testing/create-captured.js";

const score = (...branches: Partial<RolloutBranch>[]) =>
  scoreBranches(branches.map(createCaptured), buildPasses);

test("by branch_index, as a number", () => {
  const scored = score(...[10, 2, 0].map((branch_index) => ({ branch_index, objective_score: 1 })));
  expect(scored.map(({ branch }) => branch.branch_index)).toEqual([0, 2, 10]);
});

test("what is not one rollout is refused", () => {
  expect(() => score()).toThrow(TypeError);
  expect(() => score({}, { rollout_id: "r-2", branch_index: 1 })).toThrow(TypeError);
  expect(() => score({ branch_index: 3 }, { branch_index: 0 }, { branch_index: 3 })).toThrow(
    new TypeError('rollout "r-1" has two branches with branch_index 3'),
  );
});

test.each<[Partial<RolloutBranch>, string]>([
  [{}, "nothing says whether the branch passed: capture objective_status or build_result"],
  [
    { build_result: { status: "skip" } },
    "build_result does not say whether the branch passed: capture objective_status",
  ],
  [{ objective_score: 2 }, "/objective_score must be 0 or 1, is 2"],
  [
    { objective_score: 0, objective_status: "pass" },
    '/objective_status is "pass", but objective_score is 0',
  ],
  [
    { objective_score: 1, build_result: { ok: false } },
    "/build_result failed, but the captured verdict is a pass",
  ],
  [
    { objective_status: "pass", build_result: { status: "running" } },
    "/build_result did not pass, but the captured verdict is a pass",
  ],
  [{ objective_score: 1, judge_score: "9" }, '/judge_score must be a number from 0 to 10, is "9"'],
])("%j: %s", (fields, message) => {
  expect(() => score({ ...fields, branch_index: 4 }, { objective_score: 1 })).toThrow(
    new UserError(`rollout "r-1", branch 4: ${message}`, EXIT.findings),
  );
});
