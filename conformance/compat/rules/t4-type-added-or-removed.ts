import { toTypeFinding, typeChangeOf } from "./parts/types.js";
import type { Rule } from "./rule.js";

export const typeAddedOrRemoved: Rule = {
  id: "T4",
  name: "type-added-or-removed",
  summary: "A type is demanded where there was none, or no longer.",
  mend: "keep the type as it was, or release a new version of the format",
  find(pair) {
    const change = typeChangeOf(pair);
    if (change === undefined) return [];
    const { older, newer } = change;
    return older.length === 0 || newer.length === 0
      ? [toTypeFinding(change, "has a type or has none")]
      : [];
  },
};
