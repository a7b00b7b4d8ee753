import { annotationChanges } from "./parts/annotations.js";
import type { Rule } from "./rule.js";

export const identityChanged: Rule = {
  id: "M3",
  name: "identity-changed",
  summary: "The schema has another name or dialect.",
  mend: "keep the $id: copies are found by it",
  find(pair) {
    return annotationChanges(pair, ["$id", "$schema"]);
  },
};
