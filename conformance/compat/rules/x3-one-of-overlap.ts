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
    return [
      {
        old: older,
        new: newer,
        message: "members overlap: what more than one accepts is rejected",
        violates: {
          ...(newer !== undefined && { backward: overlapOf(newer) }),
          ...(older !== undefined && { forward: overlapOf(older) }),
        },
      },
    ].filter(() => older !== undefined && newer !== undefined);
  },
};
