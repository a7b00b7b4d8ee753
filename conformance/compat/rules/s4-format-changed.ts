import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const formatChanged: Rule = {
  id: "S4",
  name: "format-changed",
  summary: "Texts have another format.",
  mend: "say which validators there are (--formats): not all look at formats",
  find(pair) {
    return keywordChanges(pair, "format");
  },
};
