import { toTypeFinding, typeChangeOf } from "./parts/types.js";
import type { Rule } from "./rule.js";

export const typeWidened: Rule = {
  id: "T2",
  name: "type-widened",
  summary: "Another type can stand here as well.",
  mend: "let readers take the new type before any writer uses it",
  find(pair) {
    const change = typeChangeOf(pair);
    if (change === undefined) return [];
    const { older, newer, lost } = change;
    return older.length > 0 && newer.length > 0 && lost.length === 0
      ? [toTypeFinding(change, "allows more types")]
      : [];
  },
};
