import { isDeepStrictEqual } from "node:util";
import type { RolloutTraceStep } from "#generated/index.js";
import { toPointerToken } from "../../json/pointer.js";
import { isJsonObject, type JsonObject } from "../../json/value.js";

/** Fields by which environments say what a message or a response says. */
const TEXT_FIELDS = ["content", "text", "response", "completion", "answer"] as const;
/** Who speaks in messages that the policy cannot have written. */
const OTHER_ROLES: readonly unknown[] = ["system", "developer", "user", "tool", "function"];
/** A prompt of plain text may end with a shorter response by chance, or by request ("say: yes"). */
const MIN_TEXT_LENGTH = 32;

/**
 * Where the prompt of a step holds the step's own response, as a pointer into the prompt; undefined when it
 * does not. Looked at is the prompt's end: the last message of each of its lists, and the end of each text.
 */
export function findOwnResponse({
  prompt,
  policy_response: response,
}: RolloutTraceStep): string | undefined {
  if (prompt === undefined || response === undefined) return undefined;
  const said = textOf(response);
  for (const [key, value] of Object.entries(prompt)) {
    const pointer = `/${toPointerToken(key)}`;
    if (Array.isArray(value)) {
      const last: unknown = value.at(-1);
      if (isResponse(last, response, said)) return `${pointer}/${value.length - 1}`;
    } else if (typeof value === "string" && said !== undefined) {
      if (said.length >= MIN_TEXT_LENGTH && value.endsWith(said)) return pointer;
    }
  }
  return undefined;
}

function isResponse(last: unknown, response: JsonObject, said: string | undefined): boolean {
  if (!isJsonObject(last) || OTHER_ROLES.includes(last.role)) return false;
  if (isDeepStrictEqual(last, response)) return true;
  if (said === undefined || textOf(last) !== said) return false;
  // The same words may come with other calls: "Let me look that up."
  const [calls, ownCalls] = [last.tool_calls, response.tool_calls];
  return calls === undefined || ownCalls === undefined || isDeepStrictEqual(calls, ownCalls);
}

function textOf(message: JsonObject): string | undefined {
  for (const field of TEXT_FIELDS) {
    const text = message[field];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
