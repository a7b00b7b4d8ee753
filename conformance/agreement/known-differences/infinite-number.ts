import { resolvePointer } from "../../../src/base/json/pointer.js";
import type { KnownDifference, LoneFault } from "./known-difference.js";

/** Keywords that constrain a number. */
const KEYWORDS = ["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/** Whether the fault is about a number that JavaScript parses as infinity. */
export function isInfiniteNumber({ fault, record }: LoneFault): boolean {
  const value = resolvePointer(record, fault.pointer);
  const infinite = value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
  return infinite && KEYWORDS.includes(fault.keyword);
}

export const infiniteInteger: KnownDifference = {
  id: "infinite-integer",
  adapter: "jsonschema-rs",
  reason:
    "An integer beyond the range of a double, of 310 digits or more: RFC 8259, section 6, lets a reader " +
    "limit the range. JavaScript parses it as infinity, which is not a JSON number, so ours reject it in " +
    "every language. The package accepts it as an integer, but rejects 1e400 as ours do.",
  explains: isInfiniteNumber,
};

export const infiniteNumber: KnownDifference = {
  id: "infinite-number",
  adapter: "jsonschema",
  reason:
    "A number beyond the range of a double, such as 1e400: RFC 8259, section 6, lets a reader limit the " +
    "range. JavaScript parses it as infinity, which is not a JSON number, so ours reject it in every " +
    "language. The package accepts Python's infinity, and integers of any length, as numbers.",
  explains: isInfiniteNumber,
};
