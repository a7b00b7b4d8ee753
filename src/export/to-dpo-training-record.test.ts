import { expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { createBranch } from "./testing/create-branch.js";
import { toDpoTrainingRecord } from "./to-dpo-training-record.js";
import { toMessages } from "./to-messages.js";

const chosen = createBranch({
  tool_call_sequence: [{ tool_name: "calc", args: { a: 2 }, error: "overflow" }],
});
const rejected = createBranch({
  branch_index: 1,
  final_answer: "five",
  objective_score: 0,
  rank: 2,
  total_score: 0.15,
});

test("conversation and label are those of the chosen branch", () => {
  const record = toDpoTrainingRecord([rejected, chosen]);
  expect(findErrors("DpoTrainingRecord", record)).toEqual([]);
  const messages = toMessages(chosen);
  expect(JSON.stringify(record)).toBe(
    JSON.stringify({
      messages,
      prompt_messages: messages.slice(0, 3),
      chosen: "four",
      rejected: "five",
      loss_weight_tokens: "recovery",
      provenance: {
        source: "wasmagent-rollout",
        rollout_id: "r-1",
        task_hash: "52cb6b5e4a038af1",
      },
    }),
  );
});

test("null without a pair", () => {
  expect(toDpoTrainingRecord([chosen])).toBeNull();
});

test("refuses what is not one rollout", () => {
  expect(() => toDpoTrainingRecord([])).toThrow(TypeError);
});
