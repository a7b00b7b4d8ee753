import type { Message, ToolDefinition } from "#generated/index.js";
import { callsIn } from "./conversation.js";

/**
 * Why chat templates or trainers cannot represent a conversation, or the turn to learn. `findObstacle` detects
 * those that apply to every trainer, the targets the others.
 */
export type ConversationObstacle =
  | "stray-result"
  | "unanswered-call"
  | "turn-order"
  | "text-arguments"
  | "call-turn"
  | "tool-name"
  | "tool-call-markup";

/** The messages of a record, by what the model does with them. */
export interface LearnedMessages {
  /** What the model reads; for a demonstration, the whole conversation. */
  readonly context: readonly Message[];
  /** Assistant turns that the model learns to write, or not to write. */
  readonly learned: readonly Message[];
  /** The tools that the model was offered; undefined if there were none, or they are unknown. */
  readonly tools?: readonly ToolDefinition[] | undefined;
}

/**
 * Returns the first obstacle that applies to every trainer: a result without a call (`stray-result`), a call
 * without a result (`unanswered-call`) unless it is learned and nothing follows it, or a learned call with arguments that are not a JSON object, which no
 * call format can express (`text-arguments`). Undefined if there is none.
 */
export function findObstacle({
  context,
  learned,
}: LearnedMessages): "stray-result" | "unanswered-call" | "text-arguments" | undefined {
  const last = context.at(-1);
  const isOpenEnd = last?.tool_calls !== undefined && learned.includes(last);
  const obstacle = findUnpaired(isOpenEnd ? context.slice(0, -1) : context);
  if (obstacle !== undefined) return obstacle;
  const isText = callsIn(learned).some((call) => typeof call.arguments === "string");
  return isText ? "text-arguments" : undefined;
}

/** Results must follow the calls that they answer, before anyone else speaks. */
function findUnpaired(
  messages: readonly Message[],
): "stray-result" | "unanswered-call" | undefined {
  let waiting: string[] = [];
  let isUnanswered = false;
  for (const { role, tool_calls: calls = [], tool_call_id: id = "" } of messages) {
    if (role !== "tool") {
      isUnanswered ||= waiting.length > 0;
      waiting = calls.map((call) => call.id);
      continue;
    }
    const call = waiting.indexOf(id);
    if (call < 0) return "stray-result";
    waiting.splice(call, 1);
  }
  return isUnanswered || waiting.length > 0 ? "unanswered-call" : undefined;
}

/** A prompt must end where the model continues: after a user or a tool message. */
export function findTurnOrder(prompt: readonly Message[]): "turn-order" | undefined {
  const last = prompt.at(-1)?.role;
  return last === "user" || last === "tool" ? undefined : "turn-order";
}
