import { describe, expect, test } from "vitest";
import { buildRollout, OMISSION_REASONS } from "./build-rollout.js";
import { targets } from "./targets/index.js";
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

test("a target that copies tool events unchanged omits none", () => {
  const carrying = { ...target, readsToolEvents: false };
  expect(buildRollout([first], carrying, options).unreadableToolEvents).toEqual([]);
});

describe("omissions and their reasons", () => {
  test("no suitable branches", () => {
    const unsolved = createBranch({ objective_score: 0 });
    expect(buildRollout([unsolved], target, options).omitted).toEqual({
      dpo: "single-branch",
      sft: "not-solved",
    });
  });

  test("an obstacle in the chosen branch", () => {
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

describe("the conversation of a branch", () => {
  const { training } = targets;

  test("is shared by all records of the rollout", () => {
    const { dpo, ppo } = buildRollout([first, second], training, options).records;
    expect([dpo.length, ppo.length]).toEqual([1, 2]);
    expect(messagesOf(dpo[0])).toBe(messagesOf(ppo[1]));
  });

  test("is read again for the next rollout", () => {
    const [one, other] = [1, 2].map(() => buildRollout([first], training, options).records.ppo[0]);
    expect(messagesOf(one)).toEqual(messagesOf(other));
    expect(messagesOf(one)).not.toBe(messagesOf(other));
  });

  test("is not built for a target that reads no tool events", () => {
    const unread = {
      ...first,
      get tool_call_sequence(): never {
        throw new Error("read");
      },
    };
    const rewards: ExportTarget = { ...target, readsToolEvents: false };
    expect(buildRollout([unread], rewards, options).records.ppo).toEqual([{ reward: 0 }]);
    expect(() => buildRollout([unread], training, options)).toThrow("read");
  });

  function messagesOf(record: object | undefined): unknown {
    return record && "messages" in record ? record.messages : undefined;
  }
});

test("rejects branches of several rollouts", () => {
  expect(() => buildRollout([], target, options)).toThrow(TypeError);
  expect(() => buildRollout([first, createBranch({ rollout_id: "r-2" })], target, options)).toThrow(
    TypeError,
  );
});
