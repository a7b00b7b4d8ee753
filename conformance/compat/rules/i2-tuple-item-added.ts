import { tupleChanges } from "./parts/tuples.js";
import type { Rule } from "./rule.js";

export const tupleItemAdded: Rule = {
  id: "I2",
  name: "tuple-item-added",
  summary: "A tuple has another item of its own.",
  mend: "see what stood there before",
  find(pair) {
    return tupleChanges(pair).added;
  },
};
