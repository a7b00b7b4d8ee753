import type { RolloutBranchRecord } from "#generated/index.js";
import { createCaptured } from "../../scoring/testing/create-captured.js";

/** A valid branch for tests, with the given fields overridden. */
export function createBranch(fields: Partial<RolloutBranchRecord> = {}): RolloutBranchRecord {
  return {
    ...createCaptured(),
    objective_score: 1,
    rank: 1,
    total_score: 1.15,
    ...fields,
  };
}
