import {
  MESSAGE_TOOL_CALL_TYPE,
  type Message,
  type MessageToolCall,
  type RolloutBranch,
} from "#generated/index.js";
import { oncePerRollout } from "./once-per-rollout.js";
import type { PairedCall } from "./pair-results.js";
import type { ToolResult } from "./read-tool-events.js";
import { readTurns, type Turn } from "./read-turns.js";
import { toArguments } from "./to-arguments.js";
import { toContent } from "./to-content.js";

/**
 * Conversation of a branch in the OpenAI tool-calls format (`training-record#/$defs/Conversation`):
 * the user's task; for each turn one assistant message with its calls, and directly after it one tool
 * message per result; the final answer last, also when it is empty. Every call and every result is in
 * it exactly once.
 *
 * Tool messages stand in the order of their calls, whichever returned first: most chat templates
 * render no ids, so that only the order says which result belongs to which call. A result without a
 * call stands after the turn during which it arrived; it names its call only when it named one
 * itself. A call without a result has no tool message.
 *
 * The records of one rollout share it.
 */
export const toMessages = oncePerRollout((branch: RolloutBranch): Message[] => [
  { role: "user", content: branch.task },
  ...readTurns(branch.tool_call_sequence).flatMap(toTurnMessages),
  { role: "assistant", content: branch.final_answer },
]);

function toTurnMessages({ calls, strayResults }: Turn): Message[] {
  return [
    ...(calls.length > 0 ? [toAssistantMessage(calls)] : []),
    ...calls.flatMap(toToolMessages),
    ...strayResults.map(toStrayToolMessage),
  ];
}

function toAssistantMessage(calls: readonly PairedCall[]): Message {
  const texts = calls.map(({ call }) => call.text).filter((text) => text !== "");
  return {
    role: "assistant",
    content: [...new Set(texts)].join("\n"),
    tool_calls: calls.map(toMessageToolCall),
  };
}

function toMessageToolCall({ id, call }: PairedCall): MessageToolCall {
  return {
    id,
    type: MESSAGE_TOOL_CALL_TYPE,
    function: { name: call.name, arguments: toArguments(call.args) },
  };
}

function toToolMessages({ id, call, result }: PairedCall): Message[] {
  if (result === undefined) return [];
  return [{ role: "tool", content: toContent(result), tool_call_id: id, name: call.name }];
}

function toStrayToolMessage(result: ToolResult): Message {
  return {
    role: "tool",
    content: toContent(result),
    ...(result.callId === undefined ? {} : { tool_call_id: result.callId }),
    ...(result.name === undefined ? {} : { name: result.name }),
  };
}
