import type { MessageFunctionCall } from "#generated/index.js";
import { isJsonObject } from "../json/value.js";
import { findUnexportable } from "./find-unexportable.js";

/**
 * Arguments of a call as a message carries them (`training-record#/$defs/MessageFunctionCall`): an
 * object wherever possible, because 21 of 22 public chat templates render objects and only 5 strings.
 *
 * An object stays as it is; text that is a JSON object becomes that object, unless it is nested more
 * deeply than can be exported; none or null becomes {}; other text stays that text; any other value
 * becomes its JSON text.
 */
export function toArguments(args: unknown): MessageFunctionCall["arguments"] {
  if (args === undefined || args === null) return {};
  if (isJsonObject(args)) return args;
  if (typeof args !== "string") return JSON.stringify(args);
  const parsed = parseExactly(args);
  // Text has no depth, so nobody has looked into it before.
  const exportable = isJsonObject(parsed) && findUnexportable(parsed) === undefined;
  return exportable ? parsed : args;
}

/** The value of a JSON text; undefined when the text is none, or its value would not be exactly it. */
function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text, refuseInexactNumber);
  } catch {
    return undefined;
  }
}

/**
 * Beyond 2^53 - 1 JSON.parse rounds without a word, and 1e999 becomes Infinity: an id of 19 digits
 * would come out as another one. Such arguments stay the text that the agent wrote.
 */
function refuseInexactNumber(_key: string, value: unknown): unknown {
  if (typeof value !== "number") return value;
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) {
    return value;
  }
  throw new RangeError(`${value} is not exactly what was written`);
}
