import type { PlacePair } from "../places/place.js";
import { keywordChanges } from "./keyword-changes.js";
import { findLimitChanges, type LimitOptions } from "./limits.js";
import type { FoundChange, Rule } from "./rule.js";
import { isWhole } from "./types.js";

export const numberRules: readonly Rule[] = [
  {
    id: "N1",
    name: "range-tightened",
    summary: "Fewer numbers are allowed.",
    fix: "keep the range, or release a new version of the format",
    find: (pair) => rangeChanges(pair, "tightened"),
  },
  {
    id: "N2",
    name: "range-relaxed",
    summary: "More numbers are allowed.",
    fix: "update readers to accept the new numbers before any writer uses them",
    find: (pair) => rangeChanges(pair, "relaxed"),
  },
  {
    id: "N3",
    name: "multiple-changed",
    summary: "Numbers must be multiples of a different number.",
    fix: "keep the step, or release a new version of the format",
    find: (pair) => keywordChanges(pair, "multipleOf"),
  },
];

function rangeChanges(pair: PlacePair, only: LimitOptions["only"] & string): FoundChange[] {
  return findLimitChanges(
    pair,
    [
      { keywords: ["minimum", "exclusiveMinimum"], end: "least" },
      { keywords: ["maximum", "exclusiveMaximum"], end: "most" },
    ],
    { isWhole: isWhole(pair), only },
  );
}
