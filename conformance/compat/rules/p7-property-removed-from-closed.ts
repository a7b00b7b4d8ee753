import { removedProperties } from "./parts/properties.js";
import { has } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const propertyRemovedFromClosed: Rule = {
  id: "P7",
  name: "property-removed-from-closed",
  summary: "A property was removed where undeclared ones are rejected.",
  mend: "keep it declared and mark it deprecated, or release a new version of the format",
  find(pair) {
    return removedProperties(pair)
      .filter(({ content }) => content === "closed")
      .map(({ name, at }) => ({
        old: at,
        property: name,
        message: "is no longer declared, and is rejected now",
        violates: { backward: has(name) },
        breaksSource: {
          typescript: "code that names it no longer compiles",
          python: "code that names it fails with an AttributeError",
        },
      }));
  },
};
