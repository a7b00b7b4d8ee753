import { isJsonObject, type JsonObject } from "../../../../../base/json/value.js";

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
  if (!isOwn && !isJsonObject(message.additional_kwargs)) return message;
  const { type, additional_kwargs: extra, ...rest } = message;
  return { ...(isOwn ? { role: type } : { type }), ...rest, ...pickCalls(extra, rest) };
}

/** Calls in LangChain's `additional_kwargs`, unless the message has them itself. What else is there stays. */
export function pickCalls(extra: unknown, { tool_calls: own }: JsonObject): JsonObject {
  const hasOwn = Array.isArray(own) && own.length > 0;
  if (!isJsonObject(extra)) return {};
  const { tool_calls: calls, ...others } = extra;
  return {
    ...(!hasOwn && Array.isArray(calls) && { tool_calls: calls }),
    ...(Object.keys(others).length > 0 && { additional_kwargs: others }),
  };
}
