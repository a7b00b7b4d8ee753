import type { Place, PlacePair } from "../places/place.js";
import { isUnknownKeyword } from "../solver/to-formula.js";
import { isEqual } from "../solver/values.js";
import { type FoundChange, keywordChanges, type Rule } from "./rule.js";
import { isVersionPlace, toValueFinding, valueChangeOf } from "./values.js";

export const documentationChanged: Rule = {
  id: "M1",
  name: "documentation-changed",
  summary: "What is written for people is another text.",
  mend: "nothing to mend",
  find(pair) {
    return annotationChanges(pair, [
      ...["title", "description", "$comment", "examples"],
      ...["deprecated", "readOnly", "writeOnly"],
    ]);
  },
};

export const defaultChanged: Rule = {
  id: "M2",
  name: "default-changed",
  summary: "A default is another one: readers that fill it in give old records another meaning.",
  mend: "nothing to mend for validators; see which readers fill defaults in",
  find(pair) {
    return annotationChanges(pair, ["default"]);
  },
};

export const identityChanged: Rule = {
  id: "M3",
  name: "identity-changed",
  summary: "The schema has another name or dialect.",
  mend: "keep the $id: copies are found by it",
  find(pair) {
    return annotationChanges(pair, ["$id", "$schema"]);
  },
};

export const versionChanged: Rule = {
  id: "M4",
  name: "version-changed",
  summary: "The version of the format is another one.",
  mend: "intended: readers tell versions apart by it, and compare each version with itself",
  find(pair) {
    const change = valueChangeOf(pair);
    if (change === undefined || !isVersionPlace(pair)) return [];
    return [toValueFinding(change)];
  },
};

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

/** Annotations that a place has another one of. What a schema refers to is a place of itself. */
export function annotationChanges(
  { old: before, new: after }: PlacePair,
  keywords: readonly string[],
): FoundChange[] {
  return keywords.flatMap((keyword): FoundChange[] => {
    const [older, newer] = [first(before, keyword), first(after, keyword)];
    if (older === undefined && newer === undefined) return [];
    if (older !== undefined && newer !== undefined && isEqual(older.value, newer.value)) return [];
    const change =
      older === undefined ? "is new" : newer === undefined ? "is gone" : "is another one";
    return [{ old: older, new: newer, message: `${keyword} ${change}` }];
  });
}

function first(place: Place, keyword: string) {
  return place.occurrences(keyword)[0];
}
