import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const unevaluatedItemsChanged: Rule = {
  id: "I9",
  name: "unevaluated-items-changed",
  summary: "Items that no other keyword speaks of have to satisfy another schema.",
  mend: "keep the list as open as it was, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "unevaluatedItems");
  },
};
