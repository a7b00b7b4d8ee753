import { rejectedByAny, removedProperties } from "./parts/properties.js";
import { IS_GONE } from "./parts/source-breaks.js";
import { someProperty } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const propertyRemovedFromPartial: Rule = {
  id: "P8",
  name: "property-removed-from-partial",
  summary: "A property was removed for which a pattern, or a schema for all others, speaks now.",
  mend: "keep it declared and mark it deprecated first",
  find(pair) {
    return removedProperties(pair)
      .filter(({ content }) => content === "partial")
      .map(({ name, at, schemas, others }) => ({
        old: at,
        property: name,
        message: "has no schema of its own any more",
        violates: {
          backward: someProperty({ only: [name] }, rejectedByAny(others)),
          forward: someProperty({ only: [name] }, rejectedByAny(schemas)),
        },
        breaksSource: IS_GONE,
      }));
  },
};
