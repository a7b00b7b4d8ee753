import { containsLimitChanges } from "./parts/contains.js";
import type { Rule } from "./rule.js";

export const minContainsChanged: Rule = {
  id: "I7",
  name: "min-contains-changed",
  summary: "A list has to contain such an item more or less often; without minContains, once.",
  mend: "keep the number, or release a new version of the format",
  find(pair) {
    return containsLimitChanges(pair, { keywords: ["minContains"], end: "least", byDefault: 1 });
  },
};
