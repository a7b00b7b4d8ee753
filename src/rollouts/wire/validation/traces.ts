import type { RolloutTraceStep } from "#generated/index.js";
import { isSameJson } from "../../../base/json/equality.js";
import { toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";

const DIGIT = String.raw`\p{Nd}`;
/** `1000`, `1_000`, or groups of three digits with the separators of some countries. */
const WHOLE = `(?:${DIGIT}{1,3}(?:[,.' ]${DIGIT}{3})+|${DIGIT}+(?:_${DIGIT}+)*)`;
const DECIMAL = String.raw`(?:${WHOLE}(?:[.,]${DIGIT}*)?|\.${DIGIT}+)(?:e[-+]?${DIGIT}+)?`;
const VALUE = String.raw`(?:0x[\da-f]+|0[bo][0-7]+|${DECIMAL}|∞|inf(?:inity)?)`;
/** With a sign, a currency, or a percent or permille sign: `-$0.5`, `50 %`, `5 €`. */
const NUMBER = String.raw`[-+]?(?:\p{Sc} ?)?[-+]?${VALUE}(?: ?[%‰\p{Sc}])?`;
/** Between two numbers: a fraction, or a mean and its deviation. U+2044 is the slash of `½`. */
const BETWEEN = String.raw` ?(?:[/\u2044±]|\+/?-) ?`;

/** The strings that programs print for a number or boolean, such as Python's `True` and `inf`. */
const PRINTED = new RegExp(`^(?:${NUMBER}(?:${BETWEEN}${NUMBER})?|nan|true|false)$`, "iu");

/** A double printed in full has up to 309 digits before the point and 1,074 after it. */
const LONGEST = 2000;

/** Minus signs other than the ASCII hyphen, and apostrophes that separate digits. */
const DASH = /[\u2010-\u2015\u2212]/g;
const APOSTROPHE = /[\u2018\u2019]/g;

/** Whether a string is a printed number or boolean, in the digits of any script. */
export function isPrinted(text: string): boolean {
  if (text.length > LONGEST) return false;
  const plain = text.normalize("NFKC").replace(DASH, "-").replace(APOSTROPHE, "'");
  return PRINTED.test(plain.replace(/\s+/g, " ").trim());
}

/** Fields in which environments put the text of a message or response. */
const TEXT_FIELDS = ["content", "text", "response", "completion", "answer"] as const;
/** Roles of messages that the policy cannot have written. */
const OTHER_ROLES: readonly unknown[] = ["system", "developer", "user", "tool", "function"];
/** A prompt of plain text may end with a shorter response by chance, or by request ("say: yes"). */
const MIN_TEXT_LENGTH = 32;

/**
 * Finds the step's own response in its prompt: a pointer into the prompt, or undefined. Checks the end of the
 * prompt only: the last message of each list, and the end of each text.
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
  if (isSameJson(last, response)) return true;
  if (said === undefined || textOf(last) !== said) return false;
  // The same words may go with other calls: "Let me look that up."
  const [calls, ownCalls] = [last.tool_calls, response.tool_calls];
  return calls === undefined || ownCalls === undefined || isSameJson(calls, ownCalls);
}

function textOf(message: JsonObject): string | undefined {
  for (const field of TEXT_FIELDS) {
    const text = message[field];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
