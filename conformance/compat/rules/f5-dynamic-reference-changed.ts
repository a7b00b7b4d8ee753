import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const dynamicReferenceChanged: Rule = {
  id: "F5",
  name: "dynamic-reference-changed",
  summary: "A reference is another one whose target depends on where it is come from.",
  mend: "use $ref: what a dynamic reference means, nobody can compare",
  find(pair) {
    return ["$dynamicRef", "$dynamicAnchor"].flatMap((keyword) => keywordChanges(pair, keyword));
  },
};
