import fc from "fast-check";
import { expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { PAIR_REASONS, selectPair } from "./select-pair.js";
import { createBranch } from "./testing/create-branch.js";

const best = createBranch({ branch_index: 2, rank: 1, total_score: 1.15, final_answer: "best" });
const middle = createBranch({ branch_index: 1, rank: 2, total_score: 0.5, final_answer: "middle" });
const worst = createBranch({ branch_index: 0, rank: 3, total_score: 0.15, final_answer: "worst" });

const reasonOf = (chosen: Partial<RolloutBranchRecord>, rejected: Partial<RolloutBranchRecord>) =>
  selectPair([{ ...best, ...chosen }, middle, { ...worst, ...rejected }]).reason;

test("best rank against worst rank, whatever the order of input", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([best, middle, worst], { minLength: 3 }), (branches) => {
      expect(selectPair(branches)).toEqual({ pair: { chosen: best, rejected: worst } });
    }),
  );
});

test("ties in rank fall to the branch_index", () => {
  const tied = [3, 1, 2].map((branch_index) =>
    createBranch({ branch_index, total_score: branch_index, final_answer: `${branch_index}` }),
  );
  const { pair } = selectPair(tied);
  expect([pair?.chosen.branch_index, pair?.rejected.branch_index]).toEqual([1, 3]);
});

test("a crashed branch may be the rejected side", () => {
  expect(reasonOf({}, { final_answer: "" })).toBeUndefined();
});

test("single-branch", () => {
  expect(selectPair([best])).toEqual({ reason: "single-branch" });
});

test("no-preference", () => {
  expect(reasonOf({ total_score: 1 }, { total_score: 1 })).toBe("no-preference");
});

test("identical-answers", () => {
  expect(reasonOf({ final_answer: "same" }, { final_answer: "same" })).toBe("identical-answers");
  expect(reasonOf({ final_answer: "" }, { final_answer: "" })).toBe("identical-answers");
});

test("empty-chosen", () => {
  expect(reasonOf({ final_answer: "" }, {})).toBe("empty-chosen");
});

test("unknown-objective", () => {
  expect(reasonOf({ objective_status: "unknown" }, {})).toBe("unknown-objective");
  expect(reasonOf({ objective_status: "pass" }, { objective_status: "unknown" })).toBe(
    "unknown-objective",
  );
  expect(reasonOf({ objective_status: "pass" }, { objective_status: "fail" })).toBeUndefined();
});

test("the first reason that holds is given", () => {
  const faults: Partial<RolloutBranchRecord>[] = [
    { total_score: 1 },
    { final_answer: "" },
    { objective_status: "unknown" },
  ];
  const reasons = faults.map((_, from) => {
    const fault = Object.assign({}, ...faults.slice(from));
    return reasonOf(fault, fault);
  });
  expect(reasons).toEqual(["no-preference", "identical-answers", "unknown-objective"]);
  expect(reasonOf({ final_answer: "", objective_status: "unknown" }, {})).toBe("empty-chosen");
  expect(PAIR_REASONS).toHaveLength(5);
});

test("refuses what is not one rollout", () => {
  expect(() => selectPair([])).toThrow(TypeError);
  expect(() => selectPair([best, createBranch({ rollout_id: "r-2" })])).toThrow(TypeError);
});
