import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const containsChanged: Rule = {
  id: "I6",
  name: "contains-changed",
  summary: "A list has to contain something else.",
  mend: "keep what lists have to contain, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "contains");
  },
};
