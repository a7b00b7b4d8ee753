import type { Message, RolloutBranch } from "#generated/index.js";
import { toMessages } from "./to-messages.js";

/**
 * The conversation of a branch up to, not including, its final answer. It ends in a user or tool turn,
 * as a prompt has to, when `findObstacle` finds nothing in the branch.
 */
export function toPrompt(branch: RolloutBranch): Message[] {
  return toMessages(branch).slice(0, -1);
}
