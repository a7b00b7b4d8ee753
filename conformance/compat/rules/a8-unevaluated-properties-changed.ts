import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const unevaluatedPropertiesChanged: Rule = {
  id: "A8",
  name: "unevaluated-properties-changed",
  summary: "Properties that no other keyword speaks of have to satisfy another schema.",
  mend: "keep the object as open as it was, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "unevaluatedProperties");
  },
};
