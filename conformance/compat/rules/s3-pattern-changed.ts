import { changedInPlace, differencesOf } from "./parts/differences.js";
import { toKeywordFinding } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const patternChanged: Rule = {
  id: "S3",
  name: "pattern-changed",
  summary: "Texts have to match another pattern.",
  mend: "keep the pattern, or release a new version of the format",
  find(pair) {
    const changed = changedInPlace(differencesOf(pair, "pattern"));
    return changed === undefined
      ? []
      : [toKeywordFinding({ older: changed[0], newer: changed[1] })];
  },
};
