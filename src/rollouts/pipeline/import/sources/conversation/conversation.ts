import type { ToolDefinition } from "#generated/index.js";
import type { LeftOut } from "../source.js";
import type { RowMessage } from "./dialects.js";
import { type PlacedMessage, pairMessages } from "./pair-messages.js";

/** The conversation of a row in the parts of a branch. */
export interface RowConversation {
  /** The messages before the task. */
  readonly before: readonly PlacedMessage[];
  /** Undefined if there is no task. */
  readonly task: PlacedMessage | undefined;
  /** The messages after the task. */
  readonly turns: readonly PlacedMessage[];
  /** Undefined if the row does not say which tools there were. */
  readonly tools: readonly ToolDefinition[] | undefined;
  /** Where messages are missing if there is no task. */
  readonly pointer: string;
}

/** A conversation that has a task. */
export type Answered = RowConversation & { readonly task: PlacedMessage };

/** Tells whether a message can be a task: a user's, with text. */
export function isQuestion({ role, content }: Pick<RowMessage, "role" | "content">): boolean {
  return role === "user" && content.trim() !== "";
}

/**
 * Pairs the messages of a row, and splits them at the task, which is the message at the index `at`; -1 for none. If the
 * user repeats it before the agent answers, the last repetition is the task: turns never begin with the task.
 */
export function splitAtTask(
  messages: readonly RowMessage[],
  at: number,
): Pick<RowConversation, "before" | "task" | "turns"> {
  const placed = pairMessages(messages);
  if (at < 0) return { before: [], task: undefined, turns: [] };
  const task = placed[at]?.message;
  const isRepeated = ({ message: { role, content } }: PlacedMessage): boolean =>
    role === "user" && content === task?.content;
  const others = placed.slice(at + 1).findIndex((message) => !isRepeated(message));
  const last = others < 0 ? placed.length - 1 : at + others;
  return { before: placed.slice(0, last), task: placed[last], turns: placed.slice(last + 1) };
}

/** The conversation if it yields a branch: it has a task, and the agent says something or calls a tool. */
export function requireAnswer(conversation: RowConversation): Answered | LeftOut {
  const { task, turns, pointer } = conversation;
  const isAnswer = ({ message: { role, content, tool_calls: calls } }: PlacedMessage): boolean =>
    role === "assistant" && (content.trim() !== "" || calls !== undefined);
  if (task !== undefined && turns.some(isAnswer)) return { ...conversation, task };
  const message =
    task === undefined
      ? "no user message with text: no task"
      : "the agent gives no answer and calls no tool";
  return { kind: "left-out", fault: { id: "no-text", pointer, message } };
}
