import {
  changedInPlace,
  differencesOf,
  keywordChanges,
  type Rule,
  toKeywordFinding,
} from "./rule.js";

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

export const formatChanged: Rule = {
  id: "S4",
  name: "format-changed",
  summary: "Texts have another format.",
  mend: "say which validators there are (--formats): not all look at formats",
  find(pair) {
    return keywordChanges(pair, "format");
  },
};

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
