import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const multipleChanged: Rule = {
  id: "N3",
  name: "multiple-changed",
  summary: "Numbers have to be multiples of another one.",
  mend: "keep the step, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "multipleOf");
  },
};
