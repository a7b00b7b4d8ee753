import { describe, expect, test } from "vitest";
import type { Open, RolloutBranch } from "#generated/index.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { createCaptured } from "../wire/scoring/testing/create-captured.js";
import { RolloutStats } from "./rollout-stats.js";
import { viewRollout } from "./rollout-view.js";

const call = (toolName: string) => ({
  event: "tool_call" as const,
  data: { toolName, args: {}, callId: "1", batchId: "t" },
});
const result = (output: string) => ({
  event: "tool_result" as const,
  data: { callId: "1", output },
});

const best = createBranch({
  branch_index: 2,
  tool_call_sequence: [call("look"), result("x")],
  final_answer: "four",
});
const worst = createBranch({
  branch_index: 0,
  rank: 3,
  objective_score: 0,
  total_score: 0,
  tool_call_sequence: [call("look"), result("x")],
  final_answer: "five",
});
const middle = createBranch({ branch_index: 1, rank: 2, total_score: 0.5, final_answer: "4" });

const indicesOf = (branches: readonly RolloutBranch[], lost = 0) =>
  viewRollout("r", branches, { lost }).branches.map(({ branch }) => branch.branch_index);

describe("viewRollout", () => {
  test("ranked branches, best first, with what all share", () => {
    const { branches, shared } = viewRollout("r", [worst, middle, best]);
    expect(
      branches.map(({ branch, turns, verdict }) => [branch.branch_index, turns, verdict]),
    ).toEqual([
      [2, 2, "pass"],
      [1, 1, "pass"],
      [0, 2, "fail"],
    ]);
    // The task.
    expect(shared).toBe(1);
  });

  test("the best and the worst are a pair, from where they part", () => {
    const { pair } = viewRollout("r", [worst, middle, best]);
    expect([pair?.chosen.branch.branch_index, pair?.rejected.branch.branch_index]).toEqual([2, 0]);
    // The task, the call and its result.
    expect([pair?.parting.at, pair?.parting.turn, pair?.reason]).toEqual([3, 2, undefined]);
  });

  test("what an agent greets with is no turn of its own, if that is the task", () => {
    const greeted = [best, worst].map((branch) => ({
      ...{ ...branch, task: "Hi!", task_role: "assistant" as const },
      turns: [
        { role: "user" as const, content: "2+2?" },
        { role: "assistant" as const, content: branch.final_answer },
      ],
    }));
    const { branches, pair } = viewRollout("r", greeted);
    expect(branches.map(({ turns }) => turns)).toEqual([1, 1]);
    expect([pair?.parting.at, pair?.parting.turn]).toEqual([2, 1]);
  });

  test("why there is no pair", () => {
    const same = { ...worst, rank: 2, total_score: best.total_score };
    expect(viewRollout("r", [best, same]).pair?.reason).toBe("no-preference");
    expect(viewRollout("r", [best, worst], { lost: 2 }).pair?.reason).toBe("incomplete-rollout");
    expect(viewRollout("r", [best])).toMatchObject({ outcome: "single-branch", pair: undefined });
    expect(viewRollout("r", [best], { lost: 1 }).outcome).toBe("incomplete-rollout");
  });

  test("branches that are not ranked keep their order, and have no pair", () => {
    const captured = [1, 0].map((branch_index) => ({ ...createCaptured(), branch_index }));
    expect(indicesOf(captured)).toEqual([0, 1]);
    expect(indicesOf([best, { ...createCaptured(), branch_index: 0 }])).toEqual([0, 2]);
    const { pair, branches } = viewRollout("r", captured);
    expect([pair, branches[0]?.verdict]).toEqual([undefined, undefined]);
  });

  test("a branch without messages in common shares none", () => {
    const other: Open<RolloutBranch> = { ...middle, task: "Another task." };
    expect(viewRollout("r", [best, other]).shared).toBe(0);
  });
});

test("the sums of rollouts", () => {
  const stats = new RolloutStats();
  stats.add(viewRollout("a", [worst, middle, best]));
  stats.add(viewRollout("b", [best]));
  stats.add(viewRollout("c", [createCaptured()]));
  stats.add(viewRollout("d", [best, { ...worst, rank: 2, total_score: best.total_score }]));
  expect([stats.rollouts, stats.pairs]).toEqual([4, 1]);
  expect(Object.fromEntries(stats.reasons)).toEqual({
    "single-branch": 1,
    "not-ranked": 1,
    "no-preference": 1,
  });
  expect(Object.fromEntries(stats.verdicts)).toEqual({ pass: 4, fail: 2, "not verified": 1 });
  expect([stats.branches.size, stats.scores.size, stats.sizes.turns.size]).toEqual([4, 6, 7]);
  expect([stats.chosen.turns.most, stats.rejected.turns.size]).toEqual([2, 1]);
  expect([stats.divergenceTurns.least, stats.divergenceTurns.size]).toEqual([2, 1]);
});

test("calls by tool, those that fail most first", () => {
  const failed = { event: "tool_result" as const, data: { callId: "1", error: "no" } };
  const branch = (
    branch_index: number,
    ...tool_call_sequence: RolloutBranch["tool_call_sequence"]
  ) => createBranch({ branch_index, rank: branch_index + 1, tool_call_sequence });
  const stats = new RolloutStats();
  stats.add(
    viewRollout("r", [
      branch(0, call("look"), result("x"), call("look"), result("x")),
      branch(1, call("open"), failed),
    ]),
  );
  expect(stats.tools).toEqual([
    ["open", { calls: 1, failed: 1 }],
    ["look", { calls: 2, failed: 0 }],
  ]);
});
