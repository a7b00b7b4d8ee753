import { isAnything } from "../places/is-anything.js";
import { addedProperties, rejectedByAny } from "./parts/properties.js";
import { someProperty } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const optionalAddedToOpen: Rule = {
  id: "P1",
  name: "optional-added-to-open",
  summary: "An optional property with a schema was added where undeclared ones were allowed.",
  mend: "harmless when writers emit declared properties only (--lens declared-writer)",
  find(pair) {
    return addedProperties(pair)
      .filter(({ content, isRequirementChanged }) => content === "open" && !isRequirementChanged)
      .filter(({ schemas }) => !schemas.every(({ schema }) => isAnything(schema)))
      .map(({ name, at, schemas }) => ({
        new: at,
        property: name,
        message: "is declared now, and was anything before",
        violates: { backward: someProperty({ only: [name] }, rejectedByAny(schemas)) },
      }));
  },
};
