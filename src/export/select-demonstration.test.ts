import fc from "fast-check";
import { expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { DEMONSTRATION_REASONS, selectDemonstration } from "./select-demonstration.js";
import { createBranch } from "./testing/create-branch.js";

const best = createBranch({ branch_index: 2, rank: 1 });
const tied = createBranch({ branch_index: 3, rank: 1 });
const worst = createBranch({ branch_index: 0, rank: 3, objective_score: 0, final_answer: "" });

const reasonOf = (fields: Partial<RolloutBranchRecord>) =>
  selectDemonstration([worst, { ...best, ...fields }]).reason;

test("the best branch, whatever the order of input", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([best, tied, worst], { minLength: 3 }), (branches) => {
      expect(selectDemonstration(branches)).toEqual({ branch: best });
    }),
  );
  expect(selectDemonstration([best])).toEqual({ branch: best });
});

test("each reason, in the order in which they are tested", () => {
  const faults: Partial<RolloutBranchRecord>[] = [
    { objective_status: "unknown" },
    { objective_score: 0 },
    { final_answer: "" },
  ];
  const reasons = faults.map((_, from) => reasonOf(Object.assign({}, ...faults.slice(from))));
  expect(reasons).toEqual(DEMONSTRATION_REASONS);
  expect(faults.map(reasonOf)).toEqual(DEMONSTRATION_REASONS);
});

test("a status that agrees is no reason", () => {
  expect(reasonOf({ objective_status: "pass" })).toBeUndefined();
});

test("refuses what is not one rollout", () => {
  expect(() => selectDemonstration([])).toThrow(TypeError);
  expect(() => selectDemonstration([best, createBranch({ rollout_id: "r-2" })])).toThrow(TypeError);
});
