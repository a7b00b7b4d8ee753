import { limitChanges, NUMBER_LIMITS, toLimitFinding } from "./parts/limits.js";
import { isWhole } from "./parts/types.js";
import type { Rule } from "./rule.js";

export const rangeRelaxed: Rule = {
  id: "N2",
  name: "range-relaxed",
  summary: "More numbers are allowed.",
  mend: "let readers take the new numbers before any writer uses them",
  find(pair) {
    return limitChanges(pair, NUMBER_LIMITS, isWhole(pair))
      .filter(({ isTightened }) => !isTightened)
      .map(toLimitFinding);
  },
};
