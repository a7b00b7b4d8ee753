import { conditionalChanges } from "./parts/conditionals.js";
import type { Rule } from "./rule.js";

export const conditionalChanged: Rule = {
  id: "X7",
  name: "conditional-changed",
  summary: "What holds under a condition is something else.",
  mend: "keep the condition, or release a new version of the format",
  find(pair) {
    return conditionalChanges(pair);
  },
};
