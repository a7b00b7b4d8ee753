import type { PlacePair } from "../places/place.js";
import {
  changedInPlace,
  differencesOf,
  keywordChanges,
  oneSidedChanges,
  toKeywordChange,
} from "./keyword-changes.js";
import { findLimitChanges } from "./limits.js";
import type { FoundChange, Rule } from "./rule.js";

export const stringRules: readonly Rule[] = [
  {
    id: "S1",
    name: "length-changed",
    summary: "The allowed length of strings changed.",
    fix: "keep the limit, or release a new version of the format",
    find: (pair) =>
      findLimitChanges(pair, [
        { keywords: ["minLength"], end: "least", byDefault: 0 },
        { keywords: ["maxLength"], end: "most" },
      ]),
  },
  {
    id: "S2",
    name: "pattern-added-or-removed",
    summary: "A pattern for strings was added or removed.",
    fix: "keep the pattern, or release a new version of the format",
    find: (pair) => patternChanges(pair, "added or removed"),
  },
  {
    id: "S3",
    name: "pattern-changed",
    summary: "Strings must match a different pattern.",
    fix: "keep the pattern, or release a new version of the format",
    find: (pair) => patternChanges(pair, "changed"),
  },
  {
    id: "S4",
    name: "format-changed",
    summary: "The format of strings changed.",
    fix: "keep the format, or say that validators do not check it: formats in the configuration, or --formats annotate",
    find: formatChanges,
  },
  {
    id: "S5",
    name: "content-changed",
    summary: "The content of strings changed: its encoding, media type or schema.",
    fix: "nothing to fix: an annotation in draft 2020-12; inform the readers",
    find: (pair) =>
      ["contentEncoding", "contentMediaType", "contentSchema"].flatMap((keyword) =>
        keywordChanges(pair, keyword),
      ),
  },
];

/** Each says whether validators check it. */
function formatChanges(pair: PlacePair): FoundChange[] {
  return keywordChanges(pair, "format").map((change) => {
    const isAsserted = [change.old, change.new].some(
      (each) => each?.location.set.format === "assert",
    );
    return {
      ...change,
      message: `${change.message}, ${isAsserted ? "asserted" : "an annotation"}`,
    };
  });
}

function patternChanges(pair: PlacePair, kind: "added or removed" | "changed"): FoundChange[] {
  const difference = differencesOf(pair, "pattern");
  const changed = changedInPlace(difference);
  if (kind === "added or removed") return changed === undefined ? oneSidedChanges(difference) : [];
  return changed === undefined ? [] : [toKeywordChange({ older: changed[0], newer: changed[1] })];
}
