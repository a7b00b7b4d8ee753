import { isUnreadable } from "./is-unreadable.js";
import type { KnownDifference } from "./known-difference.js";

/** Levels that the package takes; the record is the first. */
const MAX_DEPTH = 255;

export const deepNesting: KnownDifference = {
  id: "deep-nesting",
  adapter: "jsonschema-rs",
  reason:
    `Values nested more than ${MAX_DEPTH} levels deep: RFC 8259, section 9, lets a reader limit the depth. ` +
    "The package does; ours take whatever the parser takes.",
  explains: ({ record, theirs }) => isUnreadable(theirs) && depthOf(record) > MAX_DEPTH,
};

function depthOf(value: unknown): number {
  let depth = 0;
  for (let level: unknown[] = [value]; level.length > 0; depth += 1) {
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return depth;
}
