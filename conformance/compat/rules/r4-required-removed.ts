import { isSwap, requirementChanges, toMentioned } from "./parts/properties.js";
import { lacks } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const requiredRemoved: Rule = {
  id: "R4",
  name: "required-removed",
  summary: "A property is required no longer.",
  mend: "let readers do without it before any writer leaves it out",
  find(pair) {
    const change = requirementChanges(pair);
    if (isSwap(change)) return [];
    return [...change.removed].map(([name, mention]) => ({
      old: toMentioned(mention),
      property: name,
      message: "is required no longer",
      violates: { forward: lacks(name) },
      breaksSource: {
        typescript: "code that reads it has to expect undefined",
        python: "code that reads it has to expect None",
      },
    }));
  },
};
