import { MAX_NESTING } from "../../../export/unexportable.js";
import { countKeyMarks } from "../../../json/tokens.js";
import { isJsonObject, measureValue } from "../../../json/value.js";

/** Levels of a record above a call's arguments: `/messages/0/tool_calls/0/function/arguments`. */
const LEVELS_ABOVE = 6;

/** As JSON.stringify writes a lone surrogate; of a pair it writes the character. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/**
 * The arguments of a call as a tool event has them: an object, or the raw text where they do not parse
 * (`rollout-wire#/$defs/ToolEventData`). A text that parsing would change stays a text too: an integer
 * beyond 2^53 would be rounded, the second of two equal keys would win, half of a surrogate pair is no
 * character.
 */
export function toArgs(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    const value: unknown = JSON.parse(given);
    return isJsonObject(value) && isSafe(value, given) ? value : given;
  } catch {
    return given;
  }
}

function isSafe(value: object, text: string): boolean {
  const { largest, keys, depth } = measureValue(value);
  if (largest > Number.MAX_SAFE_INTEGER || depth + LEVELS_ABOVE > MAX_NESTING) return false;
  if (text.includes("\\u") && LONE_SURROGATE.test(JSON.stringify(value))) return false;
  return keys === countKeyMarks(text);
}
