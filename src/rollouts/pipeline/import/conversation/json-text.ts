import { countKeyMarks, scanJson } from "../../../../base/json/tokens.js";
import { MAX_NESTING } from "../../../../base/json/unexportable.js";
import { measureValue, tryParseJson } from "../../../../base/json/value.js";

/** A value parsed from JSON text inside a row, or why it cannot be used. */
export type ParsedText =
  | { readonly value: unknown; readonly problem?: never }
  | { readonly problem: string; readonly value?: never };

/** The problem of a text that is no JSON at all. */
export const NO_JSON = "is no JSON text";

/** JSON.stringify escapes lone surrogates only; it writes a pair as a character. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/**
 * Parses JSON that a row holds as text. A text that JSON.parse would change silently is refused, like the same
 * faults in the row itself: an integer beyond 2^53 - 1, duplicate keys, lone surrogates. So is a value that would
 * be nested too deeply `levels` below the top of a record.
 */
export function parseJsonText(text: string, levels = 0): ParsedText {
  const value = tryParseJson(text);
  if (value === undefined) return { problem: NO_JSON };
  if (typeof value !== "object" || value === null) return { value };
  const { largest, keys, depth } = measureValue(value);
  if (depth + levels > MAX_NESTING) {
    return { problem: `is nested more than ${MAX_NESTING} levels deep` };
  }
  if (largest > Number.MAX_SAFE_INTEGER) return { problem: "has an integer beyond 2^53 - 1" };
  if (keys !== countKeyMarks(text) && keys !== countKeys(text)) {
    return { problem: "has duplicate keys" };
  }
  if (text.includes("\\u") && LONE_SURROGATE.test(JSON.stringify(value))) {
    return { problem: "has a lone surrogate" };
  }
  return { value };
}

function countKeys(text: string): number {
  let count = 0;
  for (const { kind } of scanJson(text)) if (kind === "key") count += 1;
  return count;
}
