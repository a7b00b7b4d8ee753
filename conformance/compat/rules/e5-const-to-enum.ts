import { isVersionPlace, toValueFinding, valueChangeOf } from "./parts/values.js";
import type { Rule } from "./rule.js";

export const constToEnum: Rule = {
  id: "E5",
  name: "const-to-enum",
  summary: "A constant became a list of values, or a list a constant.",
  mend: "readers have to know a value before any writer uses it",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return older !== undefined && newer !== undefined && older.keyword !== newer.keyword
      ? [toValueFinding(change)]
      : [];
  },
};
