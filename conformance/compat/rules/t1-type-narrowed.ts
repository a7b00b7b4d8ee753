import { toTypeFinding, typeChangeOf } from "./parts/types.js";
import type { Rule } from "./rule.js";

export const typeNarrowed: Rule = {
  id: "T1",
  name: "type-narrowed",
  summary: "A type can no longer stand here.",
  mend: "keep the type, or release a new version of the format",
  find(pair) {
    const change = typeChangeOf(pair);
    if (change === undefined) return [];
    const { older, newer, lost, gained } = change;
    return older.length > 0 && newer.length > 0 && lost.length > 0 && gained.length === 0
      ? [toTypeFinding(change, "allows fewer types")]
      : [];
  },
};
