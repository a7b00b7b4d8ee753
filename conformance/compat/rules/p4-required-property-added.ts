import { any } from "../satisfiability/formula.js";
import { addedProperties, rejectedByAny } from "./parts/properties.js";
import { MUST_BE_GIVEN } from "./parts/source-breaks.js";
import { lacks, someProperty } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const requiredPropertyAdded: Rule = {
  id: "P4",
  name: "required-property-added",
  summary: "A required property was added.",
  mend: "make it optional, or release a new version of the format",
  find(pair) {
    return addedProperties(pair)
      .filter(({ isRequirementChanged }) => isRequirementChanged)
      .map(({ name, at, schemas, others }) => ({
        new: at,
        property: name,
        message: "is new and required",
        violates: {
          backward: any(lacks(name), someProperty({ only: [name] }, rejectedByAny(schemas))),
          forward: someProperty({ only: [name] }, rejectedByAny(others)),
        },
        breaksSource: MUST_BE_GIVEN,
      }));
  },
};
