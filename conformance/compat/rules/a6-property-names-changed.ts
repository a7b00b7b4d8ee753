import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const propertyNamesChanged: Rule = {
  id: "A6",
  name: "property-names-changed",
  summary: "Names of properties have to satisfy another schema.",
  mend: "allow the names that old records have",
  find(pair) {
    return keywordChanges(pair, "propertyNames");
  },
};
