import type { RolloutBranch } from "#generated/index.js";
import { BranchConversation } from "./conversation.js";

/**
 * Why chat templates or trainers cannot represent a conversation. The first two apply to every trainer and are
 * detected by `findObstacle`. The targets detect the others.
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
 * Returns the first obstacle that applies to every trainer: a result without a call (`stray-result`), or a call
 * whose tool never returned (`unanswered-call`). Undefined if every call has its result and every result its
 * call.
 */
export function findObstacle(
  branch: RolloutBranch,
  { turns } = new BranchConversation(branch),
): "stray-result" | "unanswered-call" | undefined {
  if (turns.some(({ strayResults }) => strayResults.length > 0)) return "stray-result";
  const answered = turns.every(({ calls }) => calls.every(({ result }) => result !== undefined));
  return answered ? undefined : "unanswered-call";
}

/** Detects calls whose arguments were not a JSON object, which no call format can express. */
export function findTextArguments(
  branch: RolloutBranch,
  { calls } = new BranchConversation(branch),
): "text-arguments" | undefined {
  const found = calls.some((call) => typeof call.arguments === "string");
  return found ? "text-arguments" : undefined;
}
