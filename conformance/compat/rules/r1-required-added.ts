import { requiredDeclared } from "./parts/required-declared.js";
import type { Rule } from "./rule.js";

export const requiredAdded: Rule = {
  id: "R1",
  name: "required-added",
  summary: "A declared property is required now.",
  mend: "make the field optional, or release a new version of the format",
  find(pair) {
    return requiredDeclared(pair, false).map((found) => ({
      ...found,
      message: "is required now",
    }));
  },
};
