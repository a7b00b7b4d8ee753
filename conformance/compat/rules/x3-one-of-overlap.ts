import { differencesOf } from "./parts/differences.js";
import { overlapOf } from "./parts/unions.js";
import type { Rule } from "./rule.js";

export const oneOfOverlap: Rule = {
  id: "X3",
  name: "one-of-overlap",
  summary: "Members of an exclusive union overlap, so that what both accept is rejected.",
  mend: "tell the members apart by a constant, or use anyOf",
  isSuspicion: true,
  find(pair) {
    const { removed, added } = differencesOf(pair, "oneOf");
    const [older, newer] = [removed[0], added[0]];
    if (older === undefined || newer === undefined) return [];
    const [backward, forward] = [
      overlapOf(newer, older, pair.classes),
      overlapOf(older, newer, pair.classes),
    ];
    return [
      {
        old: older,
        new: newer,
        message: "members overlap: what more than one accepts is rejected",
        violates: {
          ...(backward !== undefined && { backward }),
          ...(forward !== undefined && { forward }),
        },
      },
    ];
  },
};
