import type { RolloutBranch } from "#generated/index.js";
import { BranchConversation } from "./conversation.js";

/**
 * Why chat templates and trainers cannot render a conversation. The first two concern every trainer, and
 * `findObstacle` finds them; the targets look for the others themselves.
 */
export const CONVERSATION_OBSTACLES = [
  "unanswered-call",
  "stray-result",
  "text-arguments",
  "tool-name",
  "tool-call-markup",
] as const;

export type ConversationObstacle = (typeof CONVERSATION_OBSTACLES)[number];

/**
 * The first obstacle for every trainer: a result that answers no call of the branch (`stray-result`), or
 * a call whose tool never returned (`unanswered-call`).
 * Undefined when every call has its result and every result its call.
 */
export function findObstacle(
  branch: RolloutBranch,
  { turns } = new BranchConversation(branch),
): "stray-result" | "unanswered-call" | undefined {
  if (turns.some(({ strayResults }) => strayResults.length > 0)) return "stray-result";
  const answered = turns.every(({ calls }) => calls.every(({ result }) => result !== undefined));
  return answered ? undefined : "unanswered-call";
}

/** Whether a call's arguments were no JSON object, which no format of calls can express. */
export function findTextArguments(
  branch: RolloutBranch,
  { calls } = new BranchConversation(branch),
): "text-arguments" | undefined {
  const found = calls.some((call) => typeof call.arguments === "string");
  return found ? "text-arguments" : undefined;
}
