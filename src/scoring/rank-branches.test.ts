import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { UserError } from "../user-error.js";
import { rankBranches } from "./rank-branches.js";
import { rankScored } from "./rank-scored.js";
import { capturedRollout } from "./testing/captured-rollout.js";
import { createCaptured } from "./testing/create-captured.js";

const rollout = [0, 1, 2].map((branch_index) =>
  createCaptured({ branch_index, objective_score: 1 }),
);

test("the judge decides between branches of one verdict", async () => {
  const judge = async ({ branch_index }: { branch_index: number }) => branch_index + 7;
  const { branches, judgeFailures } = await rankBranches(rollout, { judge });
  expect(judgeFailures).toEqual([]);
  expect(branches.map((each) => [each.branch_index, each.judge_score, each.total_score])).toEqual([
    [2, 9, 1.27],
    [1, 8, 1.24],
    [0, 7, 1.21],
  ]);
});

test("it is asked once about each branch that has no judge's score", async () => {
  await fc.assert(
    fc.asyncProperty(capturedRollout, async (expected) => {
      const captured = expected.map(({ branch }) => branch);
      const asked: number[] = [];
      const { branches } = await rankBranches(captured, {
        judge: async ({ branch_index }) => {
          asked.push(branch_index);
          return 3;
        },
      });
      const unjudged = captured.filter(({ judge_score }) => judge_score === undefined);
      expect(asked.toSorted()).toEqual(unjudged.map((each) => each.branch_index).toSorted());
      const filled = captured.map((each) => ({ judge_score: 3, ...each }));
      const totals = rankScored(filled).map((each) => [each.branch_index, each.total_score]);
      expect(branches.map((each) => [each.branch_index, each.total_score])).toEqual(totals);
    }),
  );
});

test("without a judge it ranks as rankScored does", async () => {
  await fc.assert(
    fc.asyncProperty(capturedRollout, async (expected) => {
      const captured = expected.map(({ branch }) => branch);
      const { branches, judgeFailures } = await rankBranches(captured);
      expect([branches, judgeFailures]).toEqual([rankScored(captured), []]);
    }),
  );
});

test("a judge that fails costs the others nothing, and is asked again only about what is left", async () => {
  const error = new Error("overloaded");
  const judge = vi.fn(async ({ branch_index }: { branch_index: number }) => {
    if (branch_index === 1) throw error;
    return branch_index === 0 ? 9 : 11;
  });
  const first = await rankBranches(rollout, { judge });
  expect(first.judgeFailures).toEqual([
    { branchIndex: 1, error },
    { branchIndex: 2, error: new RangeError("judge score must be from 0 to 10, is 11") },
  ]);
  expect(first.branches.map((each) => [each.branch_index, each.total_score])).toEqual([
    [0, 1.27],
    [1, 1.15],
    [2, 1.15],
  ]);
  expect(first.branches.map((each) => "judge_score" in each)).toEqual([true, false, false]);
  const again = vi.fn(async () => 10);
  const second = await rankBranches(first.branches, { judge: again });
  expect(again).toHaveBeenCalledTimes(2);
  expect(second.judgeFailures).toEqual([]);
  expect(second.branches.map(({ branch_index }) => branch_index)).toEqual([1, 2, 0]);
});

test("the judge is not asked about what cannot be ranked", async () => {
  const judge = vi.fn(async () => 5);
  const incomplete = [...rollout, createCaptured({ branch_index: 3 })];
  await expect(rankBranches(incomplete, { judge })).rejects.toThrow(UserError);
  await expect(rankBranches([], { judge })).rejects.toThrow(TypeError);
  const weights = { objective: Number.NaN, judge: 1 };
  await expect(rankBranches(rollout, { judge, weights })).rejects.toThrow(RangeError);
  expect(judge).not.toHaveBeenCalled();
});
