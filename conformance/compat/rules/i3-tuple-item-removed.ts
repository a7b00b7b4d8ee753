import { tupleChanges } from "./parts/tuples.js";
import type { Rule } from "./rule.js";

export const tupleItemRemoved: Rule = {
  id: "I3",
  name: "tuple-item-removed",
  summary: "A tuple has an item of its own less.",
  mend: "see what may stand there now",
  find(pair) {
    return tupleChanges(pair).removed;
  },
};
