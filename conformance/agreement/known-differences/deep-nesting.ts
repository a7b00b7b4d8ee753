import type { KnownDifference } from "./known-difference.js";
import { isUnreadable } from "./known-difference.js";

/** Maximum nesting that the package accepts; the record itself is level 1. */
const MAX_DEPTH = 255;

export const deepNesting: KnownDifference = {
  id: "deep-nesting",
  adapter: "jsonschema-rs",
  reason:
    `Values nested more than ${MAX_DEPTH} levels deep: RFC 8259, section 9, lets a reader limit the depth. ` +
    "The package does; ours accept what the parser accepts.",
  explains: ({ record, theirs }) => isUnreadable(theirs) && isDeeperThan(MAX_DEPTH, record),
};

function isDeeperThan(depth: number, value: unknown): boolean {
  if (depth === 0) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((child) => isDeeperThan(depth - 1, child));
}
