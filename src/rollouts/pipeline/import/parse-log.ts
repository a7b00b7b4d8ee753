import { NonFiniteParser, type NonFiniteText } from "../../../base/json/non-finite.js";
import { cutNesting } from "../../../base/json/tokens.js";
import { MAX_NESTING } from "../../../base/json/unexportable.js";
import { isJsonObject, measureValue, type ValueMeasure } from "../../../base/json/value.js";

/**
 * Deepest nesting of a text that readers see, because they recurse. A record that was cut here is still nested too deeply,
 * whatever its form takes it out of, and is refused as such.
 */
const MAX_LEVELS = MAX_NESTING + 100;

/** A text of a log that was parsed. */
export interface ParsedLog {
  /** Nested at most MAX_LEVELS deep: below, there are numbers. */
  readonly value: unknown;
  readonly measure: ValueMeasure;
  /** The text of this value with the same offsets, which is JSON; undefined if that is the given one. */
  readonly json: string | undefined;
  /** Undefined if all its numbers are some. */
  readonly nonFinite: NonFiniteText | undefined;
}

/** What stands for a text before it is parsed. */
export const NOT_PARSED: ParsedLog = {
  ...{ value: undefined, json: undefined, nonFinite: undefined },
  measure: measureValue([]),
};

const parser = new NonFiniteParser();

/** Parses JSON, also with the numbers that Python writes and no JSON holds. Throws SyntaxError as `JSON.parse` does. */
export function parseLog(text: string): ParsedLog {
  const value = parser.parse(text);
  const { latest: nonFinite } = parser;
  const measure = measureValue(typeof value === "object" && value !== null ? value : [value]);
  if (measure.depth <= MAX_LEVELS) return { value, measure, json: nonFinite?.json, nonFinite };
  const cut = cutNesting(text, MAX_LEVELS);
  const parsed = parseLog(cut);
  return { ...parsed, json: parsed.json ?? cut };
}

/** The value of a JSON text inside a log, or beside it; undefined if it is no JSON. */
export function tryParseLog(text: string): unknown {
  try {
    return parseLog(text).value;
  } catch {
    return undefined;
  }
}

/** What a log keeps as an object or a list, or as the JSON text of one; any other value as it is. */
export function withoutText(value: unknown): unknown {
  const parsed = typeof value === "string" ? tryParseLog(value) : undefined;
  return isJsonObject(parsed) || Array.isArray(parsed) ? parsed : value;
}

/** A value as JSON text; one that is nested too deeply stays what it is, so that its record is refused. */
export function toJsonText(value: unknown): unknown {
  return measureValue([value]).depth > MAX_NESTING ? value : JSON.stringify(value);
}
