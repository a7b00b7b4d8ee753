import { keywordChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const contentChanged: Rule = {
  id: "S5",
  name: "content-changed",
  summary: "Texts hold something else: an encoding, a media type or a schema of it.",
  mend: "nothing to mend: an annotation in draft 2020-12; tell the readers",
  find(pair) {
    return ["contentEncoding", "contentMediaType", "contentSchema"].flatMap((keyword) =>
      keywordChanges(pair, keyword),
    );
  },
};
