import { resolvePointer } from "../../../src/json/pointer.js";
import type { KnownDifference, LoneFault } from "./known-difference.js";

/** Keywords that constrain a number. */
const KEYWORDS = ["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/** Whether the fault is about a number that JavaScript reads as infinity. */
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
    "limit the range. JavaScript reads infinity, which is no JSON number, so ours refuse it in every " +
    "language; the package takes it for an integer. (1e400 it refuses as ours do.)",
  explains: isInfiniteNumber,
};

export const infiniteNumber: KnownDifference = {
  id: "infinite-number",
  adapter: "jsonschema",
  reason:
    "A number beyond the range of a double, such as 1e400: RFC 8259, section 6, lets a reader limit the " +
    "range. JavaScript reads infinity, which is no JSON number, so ours refuse it in every language; the " +
    "package takes Python's infinity, and an integer of any length, for a number.",
  explains: isInfiniteNumber,
};
