import type { Message, ToolDefinition } from "#generated/index.js";
import { isSameJson } from "../../../base/json/equality.js";
import { previewValue } from "../../../base/text.js";
import { findDivergence } from "../conversation/divergence.js";
import type { Conversation } from "./comparison.js";

/** A conversation, and what its model was offered. */
export interface Given extends Conversation {
  readonly tools: readonly ToolDefinition[] | undefined;
}

/**
 * Says where two branches were given different prompts, and which words differ, such as
 * `/context/messages/0 (system): "2026-11-20" against "2026-11-21"`. The first difference; tools come last.
 */
export function describePromptDifference(better: Given, worse: Given): string {
  const at = findDivergence(better.messages, worse.messages);
  const [one, other] = [better.messages[at], worse.messages[at]];
  const isPrompt = [one, other].some((message) => message && message.role !== "assistant");
  const start = Math.max(better.taskIndex, worse.taskIndex);
  if (at <= start || isPrompt || isSameJson(better.tools, worse.tools)) {
    const speaker = one?.role ?? other?.role;
    return `${toPointer(better, at)} (${speaker}): ${contrast(textOf(one), textOf(other))}`;
  }
  const [ones = [], others = []] = [better.tools, worse.tools];
  const index = ones.findIndex((tool, place) => !isSameJson(tool, others[place]));
  const first = index < 0 ? ones.length : index;
  const [tool, otherTool] = [ones[first], others[first]].map(
    (each) => JSON.stringify(each, undefined, 1) ?? "",
  );
  return `/context/tools/${first}: ${contrast(tool ?? "", otherTool ?? "")}`;
}

/** JSON Pointer of a message in its branch. */
export function toPointer({ taskIndex }: Pick<Given, "taskIndex">, index: number): string {
  if (index < taskIndex) return `/context/messages/${index}`;
  return index === taskIndex ? "/task" : `/turns/${index - taskIndex - 1}`;
}

function textOf(message: Message | undefined): string {
  if (message === undefined) return "";
  const { role, content, tool_calls: calls } = message;
  return `${role}: ${content}${calls === undefined ? "" : JSON.stringify(calls)}`;
}

/** The words that only one of the texts has, without those that both begin and end with. */
function contrast(one: string, other: string): string {
  const [ones, others] = [one, other].map((text) => text.match(/\S+/g) ?? []);
  if (ones === undefined || others === undefined) return "";
  const least = Math.min(ones.length, others.length);
  let start = 0;
  while (start < least && ones[start] === others[start]) start += 1;
  let end = 0;
  while (end < least - start && ones.at(-1 - end) === others.at(-1 - end)) end += 1;
  const [own, foreign] = [ones, others].map((words) => {
    const middle = words.slice(start, words.length - end).join(" ");
    return middle === "" ? "nothing" : previewValue(middle);
  });
  return `${own} against ${foreign}`;
}
