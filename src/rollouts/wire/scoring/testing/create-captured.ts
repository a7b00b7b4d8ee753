import type { Open, RolloutBranch } from "#generated/index.js";

/** A valid unranked branch for tests, with the given fields overridden. It has no verdict. */
export function createCaptured(fields: Partial<Open<RolloutBranch>> = {}): Open<RolloutBranch> {
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
