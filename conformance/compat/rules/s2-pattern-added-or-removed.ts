import { changedInPlace, differencesOf } from "./parts/differences.js";
import { toKeywordFinding } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const patternAddedOrRemoved: Rule = {
  id: "S2",
  name: "pattern-added-or-removed",
  summary: "Texts have to match a pattern now, or no longer.",
  mend: "keep the pattern, or release a new version of the format",
  find(pair) {
    const difference = differencesOf(pair, "pattern");
    if (changedInPlace(difference) !== undefined) return [];
    return [
      ...difference.removed.map((older) => toKeywordFinding({ older })),
      ...difference.added.map((newer) => toKeywordFinding({ newer })),
    ];
  },
};
