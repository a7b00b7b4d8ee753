import { requiredDeclared } from "./parts/required-declared.js";
import type { Rule } from "./rule.js";

export const requiredAddedWithDefault: Rule = {
  id: "R2",
  name: "required-added-with-default",
  summary: "A property with a default is required now; validators do not fill defaults in.",
  mend: "make the field optional, or release a new version of the format",
  find(pair) {
    return requiredDeclared(pair, true).map((found) => ({
      ...found,
      message: "is required now; its default is an annotation, which validators do not fill in",
    }));
  },
};
