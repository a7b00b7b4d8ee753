import { addedProperties, rejectedByAny } from "./parts/properties.js";
import { someProperty } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const propertyAddedToPartial: Rule = {
  id: "P5",
  name: "property-added-to-partial",
  summary: "A property was declared for which a pattern, or a schema for all others, spoke before.",
  mend: "declare it with the schema that governed it",
  find(pair) {
    return addedProperties(pair)
      .filter(({ content, isRequirementChanged }) => content === "partial" && !isRequirementChanged)
      .map(({ name, at, schemas, others }) => ({
        new: at,
        property: name,
        message: "has a schema of its own now",
        violates: {
          backward: someProperty({ only: [name] }, rejectedByAny(schemas)),
          forward: someProperty({ only: [name] }, rejectedByAny(others)),
        },
      }));
  },
};
