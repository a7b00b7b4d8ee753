import { declaredProperties } from "../places/objects.js";
import { hasDefault } from "./parts/has-default.js";
import { isSwap, requirementChanges, toMentioned } from "./parts/properties.js";
import { lacks } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const requiredAddedWithDefault: Rule = {
  id: "R2",
  name: "required-added-with-default",
  summary: "A property with a default is required now; validators do not fill defaults in.",
  mend: "make the field optional, or release a new version of the format",
  find(pair) {
    const change = requirementChanges(pair);
    const declared = declaredProperties(pair.old);
    return [...change.added]
      .filter(([name]) => declared.has(name) && !isSwap(change))
      .filter(([name]) => hasDefault(pair, name))
      .map(([name, mention]) => ({
        new: toMentioned(mention),
        property: name,
        message: "is required now; its default is an annotation, which validators do not fill in",
        violates: { backward: lacks(name) },
        breaksSource: {
          typescript: "code that makes such an object has to give it",
          python: "code that makes such an object has to give it",
        },
      }));
  },
};
