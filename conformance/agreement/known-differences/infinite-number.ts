import { isInfiniteNumber } from "./is-infinite-number.js";
import type { KnownDifference } from "./known-difference.js";

export const infiniteNumber: KnownDifference = {
  id: "infinite-number",
  adapter: "jsonschema",
  reason:
    "A number beyond the range of a double, such as 1e400: RFC 8259, section 6, lets a reader limit the " +
    "range. JavaScript reads infinity, which is no JSON number, so ours refuse it in every language; the " +
    "package takes Python's infinity, and an integer of any length, for a number.",
  explains: isInfiniteNumber,
};
