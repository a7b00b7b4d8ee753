import type { JsonObject } from "../../../json/value.js";

/** Where calls have their arguments, by whose logs they are: OpenAI, LangChain, Anthropic, Llama. */
export const ARGUMENT_KEYS = ["arguments", "args", "input", "parameters"] as const;

/** The arguments of a call; null for none, and undefined when it has no key for them that is known. */
export function readArguments(call: JsonObject): unknown {
  const keys = ARGUMENT_KEYS.filter((key) => Object.hasOwn(call, key));
  const key = keys.find((each) => call[each] !== null) ?? keys[0];
  return key === undefined ? undefined : call[key];
}
