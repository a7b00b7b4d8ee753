import { fullFormats } from "ajv-formats/dist/formats.js";

/** Names a compiled pattern; `ignoreCase` for one with the flag `i`. */
export type AddPattern = (pattern: string, ignoreCase?: boolean) => string;

/** Functions of the run-time file `_formats.py`. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  date: "is_date",
  time: "is_time",
  "date-time": "is_date_time",
};

/**
 * The expression that is true when the string in `value` fails a format; undefined for a format that
 * the Python code cannot judge as ajv-formats does.
 */
export function formatFailure(
  format: string,
  value: string,
  addPattern: AddPattern,
): string | undefined {
  const name = FUNCTIONS[format];
  if (name !== undefined) return `not ${name}(${value})`;
  const pattern = patternOf(format);
  if (pattern === undefined) return undefined;
  return `${addPattern(pattern.source, pattern.ignoreCase)}.search(${value}) is None`;
}

function patternOf(format: string): RegExp | undefined {
  const formats: Readonly<Record<string, unknown>> = fullFormats;
  const definition = Object.hasOwn(formats, format) ? formats[format] : undefined;
  const isPlain = definition instanceof RegExp && /^i?$/.test(definition.flags);
  return isPlain ? definition : undefined;
}
