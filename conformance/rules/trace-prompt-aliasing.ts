import { isDeepStrictEqual } from "node:util";
import type { RolloutTraceStep } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../src/records/json-object.js";
import { toPointerToken } from "../../src/records/resolve-pointer.js";
import { readTraceSteps } from "./parts/read-trace-steps.js";
import type { RecordRule } from "./rule.js";

/** Fields by which environments say what a message or a response says. */
const TEXT_FIELDS = ["content", "text", "response", "completion", "answer"] as const;
/** Who speaks in messages that the policy cannot have written. */
const OTHER_ROLES: readonly unknown[] = ["system", "developer", "user", "tool", "function"];
/** A prompt of plain text may end with a shorter response by chance, or by request ("say: yes"). */
const MIN_TEXT_LENGTH = 32;

/**
 * A list of messages that is shared, not copied, gets the response appended before the trace is stored:
 * the model is then taught to repeat what stands in its prompt. So the prompt's end is looked at: the last
 * message of each of its lists, and the end of each of its texts.
 */
export const tracePromptAliasing = {
  id: "trace-prompt-aliasing",
  purpose: "the prompt of a step does not end with the step's own response",
  scope: "record",
  check(record, type) {
    return readTraceSteps(record, type).flatMap(({ pointer, step }) => {
      const place = findResponse(step);
      if (place === undefined) return [];
      const message = "the prompt holds the step's own response: it is no snapshot";
      return [{ pointer: `${pointer}/prompt${place}`, message }];
    });
  },
} as const satisfies RecordRule;

/** Pointer into the prompt of what is the response; undefined when nothing is. */
function findResponse({ prompt, policy_response: response }: RolloutTraceStep): string | undefined {
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
