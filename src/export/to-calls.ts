import type { MessageFunctionCall, RolloutBranch } from "#generated/index.js";
import { toMessages } from "./to-messages.js";

/** Every function call of a branch, in order. */
export function toCalls(branch: RolloutBranch): MessageFunctionCall[] {
  return toMessages(branch).flatMap(({ tool_calls: calls = [] }) =>
    calls.map((call) => call.function),
  );
}
