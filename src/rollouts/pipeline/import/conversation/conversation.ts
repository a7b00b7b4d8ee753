import type { ToolDefinition } from "#generated/index.js";
import type { LeftOut } from "../reader.js";
import type { RowMessage } from "./dialects.js";
import type { RowIssues } from "./issues.js";
import { type SourceForm, toNormalForm } from "./normal-form.js";
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
function isQuestion({ role, content }: Pick<RowMessage, "role" | "content">): boolean {
  return role === "user" && content.trim() !== "";
}

/**
 * Index of the task, -1 for none: the last question before the model's first turn, because all before that was given to
 * it. If the model speaks first, the turn is its first one after a question.
 */
export function findTask(messages: readonly RowMessage[]): number {
  const isTask = (message: RowMessage): boolean =>
    isQuestion(message) && message.by !== "environment";
  const first = messages.findIndex(isTask);
  const turn = messages.findIndex(
    ({ role, given }, index) => index > first && role === "assistant" && given !== true,
  );
  const asked = messages.slice(0, turn < 0 ? messages.length : turn).findLastIndex(isTask);
  if (asked < 0) return asked;
  // Turns never begin with the task, whoever repeats it.
  const task = messages[asked];
  const others = messages
    .slice(asked + 1)
    .findIndex(({ role, content }) => role !== "user" || content !== task?.content);
  return others < 0 ? messages.length - 1 : asked + others;
}

/** Brings the messages of a row into the normal form, pairs calls with results, and splits them at the task. */
export function toConversation(
  messages: readonly RowMessage[],
  issues: RowIssues,
  form?: SourceForm,
): Pick<RowConversation, "before" | "task" | "turns"> {
  const normal = toNormalForm(messages, issues, form);
  const placed = pairMessages(normal);
  const at = findTask(normal);
  if (at < 0) return { before: [], task: undefined, turns: [] };
  return { before: placed.slice(0, at), task: placed[at], turns: placed.slice(at + 1) };
}

/** What the model was given up to its task, to tell tasks apart. A branch does not hold all of it, such as pictures. */
export function toGivenText({ before, task, tools }: RowConversation): string {
  const given = [...before, ...(task ? [task] : [])];
  const unplaced = given.flatMap((message) => message.unplaced ?? []);
  const parts: unknown[] = [given.map(({ message }) => message), tools ?? null];
  return JSON.stringify(unplaced.length > 0 ? [...parts, unplaced] : parts);
}

/**
 * The conversation if it yields a branch: it has a task, and the agent says something or calls a tool. What it was given
 * does not count.
 */
export function requireAnswer(conversation: RowConversation): Answered | LeftOut {
  const { task, turns, pointer } = conversation;
  const isAnswer = ({ message, given }: PlacedMessage): boolean => {
    const { role, content, tool_calls: calls } = message;
    return role === "assistant" && given !== true && (content.trim() !== "" || calls !== undefined);
  };
  if (task !== undefined && turns.some(isAnswer)) return { ...conversation, task };
  const message =
    task === undefined
      ? "no user message with text: no task"
      : "the agent gives no answer and calls no tool";
  return { kind: "left-out", fault: { id: "no-text", pointer, message } };
}
