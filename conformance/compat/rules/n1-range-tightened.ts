import { type Limit, limitChangeOf, toLimitFinding } from "./parts/limits.js";
import { isIntegral } from "./parts/types.js";
import type { Rule } from "./rule.js";

export const rangeTightened: Rule = {
  id: "N1",
  name: "range-tightened",
  summary: "Fewer numbers are allowed.",
  mend: "keep the range, or release a new version of the format",
  find(pair) {
    return LIMITS.flatMap((limit) => {
      const change = limitChangeOf(pair, limit, isIntegral(pair.old) || isIntegral(pair.new));
      return change === undefined || !change.isTightened ? [] : [toLimitFinding(change)];
    });
  },
};

const LIMITS: readonly Limit[] = [
  { keywords: ["minimum", "exclusiveMinimum"], end: "least" },
  { keywords: ["maximum", "exclusiveMaximum"], end: "most" },
];
