import type { Message, MessageToolCall } from "#generated/index.js";
import { isJsonObject } from "../../base/json/value.js";
import type { Paint } from "../../base/paint.js";
import { truncate } from "./columns.js";

/** Width of the longest role. */
const ROLE_WIDTH = "assistant".length;

/** A message on one line of at most `width` columns, safe to print: role, calls, thoughts in parentheses, text. */
export function foldMessage(message: Message, width: number, paint: Paint): string {
  const { role, content, reasoning_content: thought = "", tool_calls: calls = [] } = message;
  // Calls first: a long text would hide them, and then the results that follow.
  const parts = [
    ...calls.map(foldCall),
    ...(thought === "" ? [] : [`(${thought})`]),
    ...(content === "" && calls.length > 0 ? [] : [content === "" ? "(nothing)" : content]),
  ];
  const text = truncate(parts.join(" "), width - ROLE_WIDTH - 1);
  return `${paint("dim", role.padEnd(ROLE_WIDTH))} ${text}`;
}

/** Columns of an act in a sentence. */
const ACT_WIDTH = 60;

/** What a message does, in a sentence: its calls, else its text. */
export function foldAct(message: Message | undefined): string {
  if (message === undefined) return "its end";
  const { role, content, tool_calls: calls } = message;
  if (calls !== undefined) return truncate(calls.map(foldCall).join(" "), ACT_WIDTH);
  const speaker = role === "assistant" ? "text" : role;
  return `${speaker} ${JSON.stringify(truncate(content, ACT_WIDTH))}`;
}

function foldCall({ function: { name, arguments: given } }: MessageToolCall): string {
  if (!isJsonObject(given)) return `${name}(${String(given)})`;
  const named = Object.entries(given).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${name}(${named.join(", ")})`;
}
