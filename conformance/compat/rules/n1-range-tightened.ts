import { limitChanges, NUMBER_LIMITS, toLimitFinding } from "./parts/limits.js";
import { isWhole } from "./parts/types.js";
import type { Rule } from "./rule.js";

export const rangeTightened: Rule = {
  id: "N1",
  name: "range-tightened",
  summary: "Fewer numbers are allowed.",
  mend: "keep the range, or release a new version of the format",
  find(pair) {
    return limitChanges(pair, NUMBER_LIMITS, isWhole(pair))
      .filter(({ isTightened }) => isTightened)
      .map(toLimitFinding);
  },
};
