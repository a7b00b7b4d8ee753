import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";

const SPEAKERS: readonly unknown[] = ["system", "human", "ai", "tool"];

/** Tells whether a message is one of LangChain's, which says in `type` who speaks. */
export function isLangChainMessage(value: JsonObject): boolean {
  return (
    value.role === undefined &&
    value.from === undefined &&
    SPEAKERS.includes(value.type) &&
    Object.hasOwn(value, "content")
  );
}

/** The message of LangChain in the dialect of OpenAI; any other one as it is. */
export function fromLangChain(message: JsonObject): JsonObject {
  const isOwn = isLangChainMessage(message);
  const isAgents = message.role === "assistant" && isJsonObject(message.additional_kwargs);
  if (!isOwn && !isAgents) return message;
  const { type, additional_kwargs: extra, ...rest } = message;
  return { ...(isOwn ? { role: type } : { type }), ...rest, ...pickCalls(extra, rest) };
}

/**
 * Calls in LangChain's `additional_kwargs`, unless the message has them itself. What else is there stays, so that it is
 * compared and counted.
 */
export function pickCalls(extra: unknown, { tool_calls: own }: JsonObject): JsonObject {
  if (!isJsonObject(extra)) return {};
  const hasOwn = Array.isArray(own) && own.length > 0;
  const { tool_calls: calls, ...others } = extra;
  if (hasOwn || !Array.isArray(calls)) return { additional_kwargs: extra };
  return { tool_calls: calls, additional_kwargs: others };
}
