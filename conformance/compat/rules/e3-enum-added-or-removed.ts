import { isVersionPlace, toValueFinding, valueChangeOf } from "./parts/values.js";
import type { Rule } from "./rule.js";

export const enumAddedOrRemoved: Rule = {
  id: "E3",
  name: "enum-added-or-removed",
  summary: "The values are limited now, or no longer.",
  mend: "keep the values, or release a new version of the format",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || isVersionPlace(pair)) return [];
    const { older, newer } = change;
    return (older === undefined && newer?.keyword === "enum") ||
      (newer === undefined && older?.keyword === "enum")
      ? [toValueFinding(change)]
      : [];
  },
};
