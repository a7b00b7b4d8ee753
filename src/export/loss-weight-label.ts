import type { LossWeightLabel, RolloutBranch } from "#generated/index.js";
import { readTurns, type Turn } from "./read-turns.js";

/**
 * Label by which a trainer weighs the tokens of a conversation: the highest of its turns' labels
 * (`training-record#/$defs/LossWeightLabel`).
 *
 * - `recovery`: a turn follows a tool result with an error. Turns are the batches of calls and the
 *   final answer, unless that is empty: then the branch crashed, and nothing followed the error.
 * - `state_summary`: a call carries non-empty assistant text.
 * - `default`: neither.
 */
export function lossWeightLabel(branch: RolloutBranch): LossWeightLabel {
  const turns = readTurns(branch.tool_call_sequence);
  const answered = branch.final_answer !== "";
  if (turns.some((turn) => turn.followsError || (answered && hasError(turn)))) return "recovery";
  return turns.some(hasText) ? "state_summary" : "default";
}

function hasError({ calls, strayResults }: Turn): boolean {
  const results = [...calls.map(({ result }) => result), ...strayResults];
  return results.some((result) => result?.error !== undefined);
}

function hasText({ calls }: Turn): boolean {
  return calls.some(({ call }) => call.text !== "");
}
