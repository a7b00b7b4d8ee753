import { keywordChanges } from "./parts/keyword-changes.js";
import { type Limit, limitChanges, toLimitFinding } from "./parts/limits.js";
import type { Rule } from "./rule.js";

export const itemCountChanged: Rule = {
  id: "I5",
  name: "item-count-changed",
  summary: "Lists of other lengths are allowed, or the same item twice.",
  mend: "keep the limit, or release a new version of the format",
  find(pair) {
    return [
      ...limitChanges(pair, LIMITS).map(toLimitFinding),
      ...keywordChanges(pair, "uniqueItems"),
    ];
  },
};

const LIMITS: readonly Limit[] = [
  { keywords: ["minItems"], end: "least", byDefault: 0 },
  { keywords: ["maxItems"], end: "most" },
];
