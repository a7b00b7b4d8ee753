import { ALWAYS } from "../satisfiability/formula.js";
import type { Rule } from "./rule.js";

export const everythingOrNothing: Rule = {
  id: "T5",
  name: "everything-or-nothing",
  summary: "A schema became false, so that nothing is valid, or is false no longer.",
  mend: "keep the schema, or release a new version of the format",
  find({ old: before, new: after }) {
    if ((before.never === undefined) === (after.never === undefined)) return [];
    return [
      {
        message: after.never === undefined ? "allows something now" : "allows nothing any more",
        violates: after.never === undefined ? { forward: ALWAYS } : { backward: ALWAYS },
      },
    ];
  },
};
