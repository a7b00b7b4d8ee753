import { rejectedByAny, removedProperties } from "./parts/properties.js";
import { IS_GONE } from "./parts/source-breaks.js";
import { someProperty } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const propertyRemovedFromOpen: Rule = {
  id: "P6",
  name: "property-removed-from-open",
  summary: "A declared property was removed where undeclared ones are allowed.",
  mend: "keep it declared and mark it deprecated first",
  find(pair) {
    return removedProperties(pair)
      .filter(({ content }) => content === "open")
      .map(({ name, at, schemas }) => ({
        old: at,
        property: name,
        message: "is no longer declared, and may be anything now",
        violates: { forward: someProperty({ only: [name] }, rejectedByAny(schemas)) },
        breaksSource: IS_GONE,
      }));
  },
};
