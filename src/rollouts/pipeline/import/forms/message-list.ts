import { isJsonObject, type JsonObject, tryParseJson } from "../../../../base/json/value.js";
import { isLangChainMessage } from "../conversation/langchain.js";

/** Most elements of a list that are looked at. */
const LOOKED_AT = 20;

/** Tells whether a value looks like a message: an object that says who speaks, in `role` or `from`, or as LangChain does. */
export function isMessage(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { role, from } = value;
  return typeof role === "string" || typeof from === "string" || isLangChainMessage(value);
}

/** Tells whether a value is a list of messages. */
export function isMessageList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.slice(0, LOOKED_AT).every(isMessage);
}

/** The same, or the JSON text of such a list, or one message where a list is meant. */
export function isConversation(value: unknown): boolean {
  if (typeof value === "string" && value.trimStart().startsWith("[")) {
    return isMessageList(tryParseJson(value));
  }
  return isMessageList(value) || isMessage(value);
}
