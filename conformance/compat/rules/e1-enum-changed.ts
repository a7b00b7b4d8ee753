import { isExtensible, isVersionPlace, toValueFinding, valueChangeOf } from "./parts/values.js";
import type { Rule } from "./rule.js";

export const enumChanged: Rule = {
  id: "E1",
  name: "enum-changed",
  summary: "Other values are allowed.",
  mend: "readers have to know a value before any writer uses it; a value is removed with a new version only",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return older?.keyword === "enum" && newer?.keyword === "enum" && !isExtensible(pair)
      ? [toValueFinding(change)]
      : [];
  },
};
