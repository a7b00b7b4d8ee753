import { annotationChanges } from "./parts/annotations.js";
import type { Rule } from "./rule.js";

export const defaultChanged: Rule = {
  id: "M2",
  name: "default-changed",
  summary: "A default is another one: readers that fill it in give old records another meaning.",
  mend: "nothing to mend for validators; see which readers fill defaults in",
  find(pair) {
    return annotationChanges(pair, ["default"]);
  },
};
