import { isInfiniteNumber } from "./is-infinite-number.js";
import type { KnownDifference } from "./known-difference.js";

export const infiniteInteger: KnownDifference = {
  id: "infinite-integer",
  adapter: "jsonschema-rs",
  reason:
    "An integer beyond the range of a double, of 310 digits or more: RFC 8259, section 6, lets a reader " +
    "limit the range. JavaScript reads infinity, which is no JSON number, so ours refuse it in every " +
    "language; the package takes it for an integer. (1e400 it refuses as ours do.)",
  explains: isInfiniteNumber,
};
