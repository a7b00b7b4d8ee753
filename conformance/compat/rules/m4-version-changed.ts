import { isVersionPlace, toValueFinding, valueChangeOf } from "./parts/values.js";
import type { Rule } from "./rule.js";

export const versionChanged: Rule = {
  id: "M4",
  name: "version-changed",
  summary: "The version of the format is another one.",
  mend: "intended: readers tell versions apart by it, and compare each version with itself",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || !isVersionPlace(pair)) return [];
    return [toValueFinding(change)];
  },
};
