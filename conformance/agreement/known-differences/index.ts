import { deepNesting } from "./deep-nesting.js";
import { infiniteInteger, infiniteNumber } from "./infinite-number.js";
import type { KnownDifference } from "./known-difference.js";
import { loneSurrogate } from "./lone-surrogate.js";
import { trailingNewline } from "./trailing-newline.js";

/** All known differences, by id. */
export const knownDifferences: readonly KnownDifference[] = [
  deepNesting,
  infiniteInteger,
  infiniteNumber,
  loneSurrogate,
  trailingNewline,
];
