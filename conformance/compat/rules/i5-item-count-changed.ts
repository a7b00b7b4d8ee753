import { keywordChanges } from "./parts/keyword-changes.js";
import { type Limit, limitChangeOf, toLimitFinding } from "./parts/limits.js";
import type { Rule } from "./rule.js";

export const itemCountChanged: Rule = {
  id: "I5",
  name: "item-count-changed",
  summary: "Lists of other lengths are allowed, or the same item twice.",
  mend: "keep the limit, or release a new version of the format",
  find(pair) {
    const limits = LIMITS.flatMap((limit) => {
      const change = limitChangeOf(pair, limit);
      return change === undefined ? [] : [toLimitFinding(change)];
    });
    return [...limits, ...keywordChanges(pair, "uniqueItems")];
  },
};

const LIMITS: readonly Limit[] = [
  { keywords: ["minItems"], end: "least", byDefault: 0 },
  { keywords: ["maxItems"], end: "most" },
];
