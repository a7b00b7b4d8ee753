import { DEFINITION_KEYWORDS } from "../../schemas/keywords.js";
import type { Occurrence, PlacePair } from "../places/place.js";
import { exactMemberText } from "../schema/exact-numbers.js";
import { HOLE } from "../schema/schema-set.js";
import { isAnnotation } from "../solver/to-formula.js";
import { keywordChanges } from "./keyword-changes.js";
import type { FoundChange, Rule } from "./rule.js";
import { findVersionChange } from "./values.js";

export const metadataRules: readonly Rule[] = [
  {
    id: "M1",
    name: "documentation-changed",
    summary: "The documentation changed.",
    fix: "nothing to fix",
    find: (pair) => annotationChanges(pair, documentationOf(pair)),
  },
  {
    id: "M2",
    name: "default-changed",
    summary: "A default changed: readers that apply defaults interpret old records differently.",
    fix: "nothing to fix for validators; check which readers apply defaults",
    find: (pair) => annotationChanges(pair, ["default"]),
  },
  {
    id: "M3",
    name: "identity-changed",
    summary: "The `$id` or the dialect of the schema changed.",
    fix: "keep the `$id`, or enter the old one as an alias in the registry: copies are found by it",
    find: (pair) => annotationChanges(pair, ["$id", "$schema"]),
  },
  {
    id: "M4",
    name: "version-changed",
    summary: "The version of the format changed.",
    fix: "intended: readers tell versions apart by it, and compare each version with itself",
    find: findVersionChange,
  },
  {
    id: "M5",
    name: "unread-part-changed",
    summary: "A part that nobody can read changed, such as a reference to another host.",
    fix: "name the file with --schemas, or leave the part unchanged",
    find: (pair) => keywordChanges(pair, HOLE),
  },
];

/** Annotations with rules of their own. */
const OTHERS = [
  ...["default", "format", "contentEncoding", "contentMediaType", "contentSchema"],
  ...["x-reserved", "x-renamed-from", "x-extensible-enum", ...DEFINITION_KEYWORDS],
];

/** The annotations at a place that are for people and other tools. Keywords that nobody knows are among them. */
function documentationOf({ old: older, new: newer }: PlacePair): string[] {
  const schemas = [...older.schemas, ...newer.schemas];
  const keywords = new Set(schemas.flatMap(({ schema }) => Object.keys(schema)));
  return [...keywords].filter(
    (keyword) =>
      isAnnotation(keyword) &&
      !OTHERS.includes(keyword) &&
      (keyword === "$comment" || !keyword.startsWith("$")),
  );
}

/** Changed annotations of the first schema at a place that has them. */
function annotationChanges(pair: PlacePair, keywords: readonly string[]): FoundChange[] {
  return keywords.flatMap((keyword): FoundChange[] => {
    const [older] = pair.old.occurrences(keyword);
    const [newer] = pair.new.occurrences(keyword);
    if (older === undefined && newer === undefined) return [];
    if (older !== undefined && newer !== undefined && textOf(older) === textOf(newer)) return [];
    const change =
      older === undefined ? "was added" : newer === undefined ? "was removed" : "changed";
    return [{ old: older, new: newer, message: `${keyword} ${change}` }];
  });
}

function textOf({ location, keyword }: Occurrence): string {
  return exactMemberText(location.schema, keyword);
}
