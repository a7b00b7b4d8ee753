import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const notChanged: Rule = {
  id: "X6",
  name: "not-changed",
  summary: "Something else must not be.",
  mend: "forbid no more than before, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "not");
  },
};
