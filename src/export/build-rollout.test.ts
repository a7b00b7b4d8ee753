import { describe, expect, test } from "vitest";
import { buildRollout, OMISSION_REASONS } from "./build-rollout.js";
import type { ExportTarget } from "./targets/target.js";
import { resolveExportOptions } from "./targets/target.js";
import { createBranch } from "./testing/create-branch.js";
import { createEvent } from "./testing/create-event.js";

const options = resolveExportOptions({ exportedAtMs: 0 });
const target: ExportTarget = {
  id: "t",
  purpose: "",
  readsToolEvents: true,
  features: {},
  toDpo: ({ chosen, rejected }) => ({ pair: [chosen.branch_index, rejected.branch_index] }),
  toPpo: ({ branch_index }) => ({ reward: branch_index }),
  toSft: ({ branch_index }) => ({ demonstration: branch_index }),
};
const odd = createEvent({ note: "?" });
const first = createBranch({
  rank: 2,
  total_score: 0,
  final_answer: "5",
  tool_call_sequence: [odd],
});
const second = createBranch({ branch_index: 1 });

test("a pair, a demonstration, and a reward for every branch by its index", () => {
  expect(buildRollout([second, first], target, options)).toEqual({
    records: {
      dpo: [{ pair: [1, 0] }],
      ppo: [{ reward: 0 }, { reward: 1 }],
      sft: [{ demonstration: 1 }],
    },
    omitted: {},
    unreadableToolEvents: [{ rolloutId: "r-1", branchIndex: 0, eventIndex: 0 }],
  });
});

test("a target without a builder has no such records, and nothing is omitted", () => {
  const { toDpo: _dpo, toSft: _sft, ...rewards } = target;
  expect(buildRollout([first], rewards, options)).toMatchObject({
    records: { dpo: [], ppo: [{ reward: 0 }], sft: [] },
    omitted: {},
  });
});

test("a target that carries tool events as they came leaves none out", () => {
  const carrying = { ...target, readsToolEvents: false };
  expect(buildRollout([first], carrying, options).unreadableToolEvents).toEqual([]);
});

describe("what is omitted, and why", () => {
  test("by the choice of branches", () => {
    const unsolved = createBranch({ objective_score: 0 });
    expect(buildRollout([unsolved], target, options).omitted).toEqual({
      dpo: "single-branch",
      sft: "not-solved",
    });
  });

  test("by an obstacle in the branch that is to be shown", () => {
    const strict: ExportTarget = {
      ...target,
      findObstacle: ({ branch_index }) => (branch_index === 1 ? "stray-result" : undefined),
    };
    const { records, omitted } = buildRollout([first, second], strict, options);
    expect(omitted).toEqual({ dpo: "stray-result", sft: "stray-result" });
    expect(records).toEqual({ dpo: [], ppo: [{ reward: 0 }, { reward: 1 }], sft: [] });
    const tolerant = { ...strict, findObstacle: () => undefined };
    expect(buildRollout([first, second], tolerant, options).omitted).toEqual({});
  });

  test("every reason is listed once", () => {
    expect(new Set(OMISSION_REASONS).size).toBe(OMISSION_REASONS.length);
  });
});

test("refuses what is not one rollout", () => {
  expect(() => buildRollout([], target, options)).toThrow(TypeError);
  expect(() => buildRollout([first, createBranch({ rollout_id: "r-2" })], target, options)).toThrow(
    TypeError,
  );
});
