import { describeTextChange } from "./describe-text-change.js";

/**
 * What changed from one JSON value to another, as a unified diff; undefined has no lines. Text of several
 * lines is compared by its lines, an array or object by its fields; anything else is one line.
 */
export function describeChange(expected: unknown, actual: unknown): string {
  const byLine = [expected, actual].some(
    (value) => typeof value === "string" && value.includes("\n"),
  );
  const toText = (value: unknown): string => {
    if (value === undefined) return "";
    const text = byLine && typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return `${text}\n`;
  };
  return describeTextChange(toText(expected), toText(actual));
}
