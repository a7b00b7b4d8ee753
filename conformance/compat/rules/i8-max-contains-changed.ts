import { containsLimitChanges } from "./parts/contains.js";
import type { Rule } from "./rule.js";

export const maxContainsChanged: Rule = {
  id: "I8",
  name: "max-contains-changed",
  summary: "A list may contain such an item more or less often.",
  mend: "keep the number, or release a new version of the format",
  find(pair) {
    return containsLimitChanges(pair, { keywords: ["maxContains"], end: "most" });
  },
};
