import { declaredProperties } from "../places/objects.js";
import { isSwap, requirementChanges, toMentioned } from "./parts/properties.js";
import { lacks } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const undeclaredRequired: Rule = {
  id: "R3",
  name: "undeclared-required",
  summary: "A property is required that no keyword declares.",
  mend: "make the field optional, or release a new version of the format",
  find(pair) {
    const change = requirementChanges(pair);
    const declared = [pair.old, pair.new].map((place) => declaredProperties(place));
    return [...change.added]
      .filter(([name]) => !declared.some((names) => names.has(name)) && !isSwap(change))
      .map(([name, mention]) => ({
        new: toMentioned(mention),
        property: name,
        message: "is required now, though it is not declared",
        violates: { backward: lacks(name) },
      }));
  },
};
