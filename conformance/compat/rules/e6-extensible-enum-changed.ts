import { isExtensible, isVersionPlace, toValueFinding, valueChangeOf } from "./parts/values.js";
import type { Rule } from "./rule.js";

export const extensibleEnumChanged: Rule = {
  id: "E6",
  name: "extensible-enum-changed",
  summary: "Other values are in a list that readers are to take as open (x-extensible-enum).",
  mend: "validators of the old version reject the new values all the same: keep the list out of the schema",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return older?.keyword === "enum" && newer?.keyword === "enum" && isExtensible(pair)
      ? [toValueFinding(change)]
      : [];
  },
};
