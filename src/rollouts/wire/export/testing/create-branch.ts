import type { Open, RolloutBranchRecord, ToolEvent } from "#generated/index.js";
import { createCaptured } from "../../scoring/testing/create-captured.js";

/** Fields of a branch, which may be unknown, as those of its tool events. */
type BranchFields = Partial<Open<Omit<RolloutBranchRecord, "tool_call_sequence">>> & {
  tool_call_sequence?: Open<ToolEvent>[];
};

/** A valid branch for tests, with the given fields overridden. */
export function createBranch(fields: BranchFields = {}): RolloutBranchRecord {
  return {
    ...createCaptured(),
    objective_score: 1,
    rank: 1,
    total_score: 1.15,
    ...fields,
  };
}
