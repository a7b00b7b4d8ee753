import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { ConvertedMessage } from "./converted.js";
import { isMessage, isMessageList } from "./message-list.js";

/** A call whose input is a text and no JSON, such as a patch. */
const CUSTOM = "custom_tool_call";
const CALLS: readonly unknown[] = ["function_call", CUSTOM, "local_shell_call"];
const OUTPUTS: readonly unknown[] = [
  ...["function_call_output", "custom_tool_call_output", "local_shell_call_output"],
];
/** The name of the tool whose calls name none. */
const SHELL = "local_shell";

/** Tells whether a value is an item of OpenAI's Responses API. */
export function isResponseItem(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.type !== "string") return false;
  if (value.type === "message") return typeof value.role === "string";
  return value.type === "reasoning" || isCall(value) || isOutput(value);
}

/** Tells whether a value is a list of items, and not of messages alone. */
export function isItemList(value: unknown): value is readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const isItem = (each: unknown): boolean => isResponseItem(each) || isMessage(each);
  return !isMessageList(value) && list.some(isResponseItem) && list.every(isItem);
}

const isCall = ({ type }: JsonObject): boolean => CALLS.includes(type);
const isOutput = ({ type }: JsonObject): boolean => OUTPUTS.includes(type);

/**
 * The items of OpenAI's Responses API as messages, one each. A text is a user's message. An item of another type becomes a
 * message of that role, which nothing reads: it is reported.
 */
export function toItemMessages(items: unknown, pointer: string): ConvertedMessage[] {
  if (typeof items === "string") return [[pointer, { role: "user", content: items }]];
  const list: readonly unknown[] = Array.isArray(items) ? items : [];
  return list.map((item, index): ConvertedMessage => [`${pointer}/${index}`, toMessage(item)]);
}

function toMessage(item: unknown): JsonObject {
  if (!isJsonObject(item)) return { role: "no item", content: item };
  const { type, id: _, status: __, ...rest } = item;
  if (isCall(item)) {
    const { call_id: id, name = SHELL, arguments: args, input, action, ...others } = rest;
    // The text of a custom tool is what Codex gives as `input` where a model calls the same tool by JSON.
    const text = typeof input === "string" && type === CUSTOM ? { input } : input;
    const call = { id, function: { name, arguments: args ?? text ?? action ?? {} } };
    return { role: "assistant", content: "", tool_calls: [call], ...others };
  }
  if (isOutput(item)) {
    const { call_id: id, output, ...others } = rest;
    return { role: "tool", tool_call_id: id, content: output, ...others };
  }
  if (type === "reasoning") {
    const { summary, content, ...others } = rest;
    const texts = [content, summary].map(joinTexts).filter((text) => text !== "");
    return { role: "assistant", content: "", reasoning_content: texts[0] ?? "", ...others };
  }
  return type === undefined || type === "message" ? rest : { ...item, role: type, content: "" };
}

/** The texts of the parts of a reasoning item. */
function joinTexts(parts: unknown): string {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  const texts = list.map((part) => (isJsonObject(part) ? part.text : undefined));
  return texts.filter((text) => typeof text === "string" && text !== "").join("\n\n");
}
