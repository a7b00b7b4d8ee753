import { expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { createBranch } from "./testing/create-branch.js";
import { toTrainingProvenance } from "./to-training-provenance.js";

test("names the rollout and hashes the task", () => {
  const provenance = toTrainingProvenance(createBranch());
  expect(findErrors("TrainingProvenance", provenance)).toEqual([]);
  expect(JSON.stringify(provenance)).toBe(
    '{"source":"wasmagent-rollout","rollout_id":"r-1","task_hash":"52cb6b5e4a038af1"}',
  );
});
