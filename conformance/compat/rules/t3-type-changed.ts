import { toTypeFinding, typeChangeOf } from "./parts/types.js";
import type { Rule } from "./rule.js";

export const typeChanged: Rule = {
  id: "T3",
  name: "type-changed",
  summary: "Other types can stand here.",
  mend: "add a field of another name, and keep the old one",
  find(pair) {
    const change = typeChangeOf(pair);
    if (change === undefined) return [];
    const { older, newer, lost, gained } = change;
    return older.length > 0 && newer.length > 0 && lost.length > 0 && gained.length > 0
      ? [toTypeFinding(change, "allows other types")]
      : [];
  },
};
