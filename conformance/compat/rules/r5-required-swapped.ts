import { isSwap, requirementChanges, toMentioned } from "./parts/properties.js";
import { MUST_BE_GIVEN } from "./parts/source-breaks.js";
import { lacks } from "./parts/violations.js";
import type { Rule } from "./rule.js";

export const requiredSwapped: Rule = {
  id: "R5",
  name: "required-swapped",
  summary: "Another property is required in place of one.",
  mend: "require both, or neither",
  find(pair) {
    const change = requirementChanges(pair);
    const [[to] = [], [from] = []] = [[...change.added], [...change.removed]];
    if (!isSwap(change) || to === undefined || from === undefined) return [];
    return [
      {
        old: toMentioned(from[1]),
        new: toMentioned(to[1]),
        property: to[0],
        message: `is required now in place of ${JSON.stringify(from[0])}`,
        violates: { backward: lacks(to[0]), forward: lacks(from[0]) },
        breaksSource: MUST_BE_GIVEN,
      },
    ];
  },
};
