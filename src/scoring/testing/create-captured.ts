import type { RolloutBranch } from "#generated/index.js";

/** A valid branch before ranking for tests, with the fields that a test cares about; no verdict. */
export function createCaptured(fields: Partial<RolloutBranch> = {}): RolloutBranch {
  return {
    rollout_id: "r-1",
    task: "What is 2+2?",
    branch_index: 0,
    temperature: 0.7,
    session_id: "s-1",
    tool_call_sequence: [],
    final_answer: "four",
    ...fields,
  };
}
