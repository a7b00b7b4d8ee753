import { addedProperties } from "./parts/properties.js";
import { has } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const optionalAddedToClosed: Rule = {
  id: "P3",
  name: "optional-added-to-closed",
  summary: "An optional property was added where undeclared ones are rejected.",
  mend: "let readers take the new property before any writer emits it",
  find(pair) {
    return addedProperties(pair)
      .filter(({ content, isRequirementChanged }) => content === "closed" && !isRequirementChanged)
      .map(({ name, at }) => ({
        new: at,
        property: name,
        message: "is allowed now, and was rejected before",
        violates: { forward: has(name) },
      }));
  },
};
