import { type Limit, limitChangeOf, toLimitFinding } from "./parts/limits.js";
import { isIntegral } from "./parts/types.js";
import type { Rule } from "./rule.js";

export const rangeRelaxed: Rule = {
  id: "N2",
  name: "range-relaxed",
  summary: "More numbers are allowed.",
  mend: "let readers take the new numbers before any writer uses them",
  find(pair) {
    return LIMITS.flatMap((limit) => {
      const change = limitChangeOf(pair, limit, isIntegral(pair.old) || isIntegral(pair.new));
      return change === undefined || change.isTightened ? [] : [toLimitFinding(change)];
    });
  },
};

const LIMITS: readonly Limit[] = [
  { keywords: ["minimum", "exclusiveMinimum"], end: "least" },
  { keywords: ["maximum", "exclusiveMaximum"], end: "most" },
];
