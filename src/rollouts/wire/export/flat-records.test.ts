import { afterEach, describe, expect, test, vi } from "vitest";
import { findErrors } from "#generated/index.js";
import { toDpoRecord, toPpoRecords } from "./flat-records.js";
import { createBranch } from "./testing/create-branch.js";

afterEach(() => {
  vi.useRealTimers();
});

describe("toDpoRecord", () => {
  const chosen = createBranch({ tool_call_sequence: [{ tool_name: "calc", result: 4 }] });
  const rejected = createBranch({
    branch_index: 2,
    final_answer: "",
    objective_score: 0,
    rank: 2,
    total_score: 0,
  });

  test("a pair becomes a record with its keys in schema order", () => {
    const record = toDpoRecord([rejected, chosen], { exportedAtMs: 1_700_000_000_000 });
    expect(findErrors("DpoRecord", record)).toEqual([]);
    expect(JSON.stringify(record)).toBe(
      JSON.stringify({
        prompt: "What is 2+2?",
        chosen: "four",
        rejected: "",
        tool_call_sequence: [{ tool_name: "calc", result: 4 }],
        provenance: {
          source: "wasmagent-rollout",
          rollout_id: "r-1",
          chosen_branch: 0,
          rejected_branch: 2,
          objective_score: { chosen: 1, rejected: 0 },
          exported_at_ms: 1_700_000_000_000,
          n_gram_hash: "52cb6b5e4a038af1",
        },
      }),
    );
  });

  test("the default time is the current time", () => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    const record = toDpoRecord([chosen, rejected]);
    expect(record?.provenance.exported_at_ms).toBe(1_700_000_000_000);
  });

  test("null, and no reward record, if the task is not a user's: the prompt would be taken for a user's", () => {
    const branches = [chosen, rejected].map((branch) =>
      createBranch({ ...branch, task_role: "system" }),
    );
    expect(toDpoRecord(branches)).toBeNull();
    expect(toPpoRecords(branches)).toEqual([]);
    const users = branches.map((branch) => createBranch({ ...branch, task_role: "user" }));
    expect([toDpoRecord(users)?.prompt, toPpoRecords(users).length]).toEqual(["What is 2+2?", 2]);
  });

  test("null without a pair", () => {
    expect(toDpoRecord([chosen])).toBeNull();
  });

  test("rejects branches of several rollouts", () => {
    expect(() => toDpoRecord([])).toThrow(TypeError);
    expect(() => toDpoRecord([chosen, { ...rejected, rollout_id: "r-2" }])).toThrow(TypeError);
  });
});

describe("toPpoRecords", () => {
  test("a branch becomes a record with its keys in schema order", () => {
    const branch = createBranch({ rollout_id: "agent-123-1700000000000", total_score: 0.8 });
    const [record] = toPpoRecords([branch], { exportedAtMs: 1_700_000_000_000 });
    expect(findErrors("PpoRecord", record)).toEqual([]);
    expect(JSON.stringify(record)).toBe(
      JSON.stringify({
        prompt: "What is 2+2?",
        completion: "four",
        reward: 0.8,
        tool_call_sequence: [],
        provenance: {
          source: "wasmagent-rollout",
          rollout_id: "agent-123-1700000000000",
          branch_index: 0,
          objective_score: 1,
          exported_at_ms: 1_700_000_000_000,
          n_gram_hash: "52cb6b5e4a038af1",
        },
      }),
    );
  });

  test("one record per branch, including crashed ones, by branch_index", () => {
    const records = toPpoRecords([
      createBranch({ branch_index: 1, final_answer: "" }),
      createBranch({ branch_index: 0, rank: 2 }),
    ]);
    expect(records.map(({ completion }) => completion)).toEqual(["four", ""]);
  });

  test("rejects branches of several rollouts", () => {
    expect(() => toPpoRecords([])).toThrow(TypeError);
    expect(() => toPpoRecords([createBranch(), createBranch({ rollout_id: "r-2" })])).toThrow(
      TypeError,
    );
  });
});
