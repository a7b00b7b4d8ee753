import { expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { createBranch } from "./testing/create-branch.js";
import { toMessages } from "./to-messages.js";
import { toPpoTrainingRecords } from "./to-ppo-training-records.js";

test("one record per branch by branch_index, with the reward normalised", () => {
  const crashed = createBranch({ branch_index: 1, final_answer: "", rank: 2, total_score: 0.65 });
  const best = createBranch({ total_score: 1.3 });
  const records = toPpoTrainingRecords([crashed, best]);
  expect(records.flatMap((record) => findErrors("PpoTrainingRecord", record))).toEqual([]);
  expect(records.map(({ reward }) => reward)).toEqual([1, 0.5]);
  expect(JSON.stringify(records[1])).toBe(
    JSON.stringify({
      messages: toMessages(crashed),
      reward: 0.5,
      loss_weight_tokens: "default",
      provenance: {
        source: "wasmagent-rollout",
        rollout_id: "r-1",
        task_hash: "52cb6b5e4a038af1",
      },
    }),
  );
});

test("other weights normalise by their own maximum", () => {
  const [record] = toPpoTrainingRecords([createBranch({ total_score: 1 })], {
    weights: { objective: 3, judge: 1 },
  });
  expect(record?.reward).toBe(0.25);
});

test("refuses what is not one rollout", () => {
  expect(() => toPpoTrainingRecords([])).toThrow(TypeError);
});
