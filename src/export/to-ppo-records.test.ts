import { expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { createBranch } from "./testing/create-branch.js";
import { toPpoRecords } from "./to-ppo-records.js";

test("a branch becomes a record with its keys in the order of the schema", () => {
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

test("one record per branch, crashed ones too, by branch_index", () => {
  const records = toPpoRecords([
    createBranch({ branch_index: 1, final_answer: "" }),
    createBranch({ branch_index: 0, rank: 2 }),
  ]);
  expect(records.map(({ completion }) => completion)).toEqual(["four", ""]);
});

test("refuses what is not one rollout", () => {
  expect(() => toPpoRecords([])).toThrow(TypeError);
  expect(() => toPpoRecords([createBranch(), createBranch({ rollout_id: "r-2" })])).toThrow(
    TypeError,
  );
});
