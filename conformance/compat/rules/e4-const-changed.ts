import { isVersionPlace, toValueFinding, valueChangeOf } from "./parts/values.js";
import type { Rule } from "./rule.js";

export const constChanged: Rule = {
  id: "E4",
  name: "const-changed",
  summary: "The one value that is allowed is another, is demanded now, or no longer.",
  mend: "keep the constant, or release a new version of the format",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return older?.keyword !== "enum" && newer?.keyword !== "enum" ? [toValueFinding(change)] : [];
  },
};
