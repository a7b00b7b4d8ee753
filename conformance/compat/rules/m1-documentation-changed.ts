import { annotationChanges } from "./parts/annotations.js";
import type { Rule } from "./rule.js";

export const documentationChanged: Rule = {
  id: "M1",
  name: "documentation-changed",
  summary: "What is written for people is another text.",
  mend: "nothing to mend",
  find(pair) {
    return annotationChanges(pair, [
      ...["title", "description", "$comment", "examples"],
      ...["deprecated", "readOnly", "writeOnly"],
    ]);
  },
};
