import { isUnknownKeyword } from "../satisfiability/meaning.js";
import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const unknownKeywordChanged: Rule = {
  id: "M5",
  name: "unknown-keyword-changed",
  summary: "A keyword changed that no one here understands.",
  mend: "what it means cannot be compared: leave it as it is, or ask a person",
  find(pair) {
    const schemas = [...pair.old.schemas, ...pair.new.schemas];
    const keywords = new Set(schemas.flatMap(({ schema }) => Object.keys(schema)));
    return [...keywords]
      .filter((keyword) => isUnknownKeyword(keyword) && !keyword.startsWith("$"))
      .flatMap((keyword) => keywordChanges(pair, keyword));
  },
};
