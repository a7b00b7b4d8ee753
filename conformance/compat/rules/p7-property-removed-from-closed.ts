import { removedProperties } from "./parts/properties.js";
import { IS_GONE } from "./parts/source-breaks.js";
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
        breaksSource: IS_GONE,
      }));
  },
};
