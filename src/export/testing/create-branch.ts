import type { RolloutBranchRecord } from "#generated/index.js";

/** A valid branch for tests, with the fields that a test cares about. */
export function createBranch(fields: Partial<RolloutBranchRecord> = {}): RolloutBranchRecord {
  return {
    rollout_id: "r-1",
    task: "What is 2+2?",
    branch_index: 0,
    temperature: 0.7,
    session_id: "s-1",
    tool_call_sequence: [],
    final_answer: "four",
    objective_score: 1,
    rank: 1,
    total_score: 1.15,
    ...fields,
  };
}
