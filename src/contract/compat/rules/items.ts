import { type Occurrence, type Place, type PlacePair, schemaAt } from "../places/place.js";
import { isSchema } from "../schema/subschemas.js";
import { all, type Formula, isType } from "../solver/logic/formula.js";
import { keywordChanges, presenceChanges } from "./keyword-changes.js";
import { findLimitChanges, type Limit } from "./limits.js";
import type { FoundChange, Rule } from "./rule.js";
import { failsAny, rejected } from "./violations.js";

export const itemRules: readonly Rule[] = [
  {
    id: "I1",
    name: "items-added-or-removed",
    summary: "The schema for items was added or removed.",
    fix: "keep the schema, or release a new version of the format",
    find: (pair) => itemsChanges(pair).filter((change) => !isClosing(change)),
  },
  {
    id: "I2",
    name: "tuple-item-added",
    summary: "A tuple position was added.",
    fix: "check which schema applied at that position before",
    find: (pair) => tupleChanges(pair, "added"),
  },
  {
    id: "I3",
    name: "tuple-item-removed",
    summary: "A tuple position was removed.",
    fix: "check which schema now applies at that position",
    find: (pair) => tupleChanges(pair, "removed"),
  },
  {
    id: "I4",
    name: "tuple-closed-or-opened",
    summary: "Items after those of `prefixItems` are rejected in one version only.",
    fix: "leave the tuple open, or release a new version of the format",
    find: (pair) => itemsChanges(pair).filter(isClosing),
  },
  {
    id: "I5",
    name: "item-count-changed",
    summary: "The allowed number of items changed, or whether they must differ.",
    fix: "keep the limit, or release a new version of the format",
    find: (pair) => [
      ...findLimitChanges(pair, [
        { keywords: ["minItems"], end: "least", byDefault: 0 },
        { keywords: ["maxItems"], end: "most" },
      ]),
      ...keywordChanges(pair, "uniqueItems"),
    ],
  },
  {
    id: "I6",
    name: "contains-changed",
    summary: "The item that a list must contain changed.",
    fix: "keep the schema of that item, or release a new version of the format",
    find: (pair) => keywordChanges(pair, "contains"),
  },
  {
    id: "I7",
    name: "min-contains-changed",
    summary: "The minimum number of such items changed; without `minContains` it is 1.",
    fix: "keep the number, or release a new version of the format",
    find: (pair) =>
      containsLimitChanges(pair, { keywords: ["minContains"], end: "least", byDefault: 1 }),
  },
  {
    id: "I8",
    name: "max-contains-changed",
    summary: "The maximum number of such items changed.",
    fix: "keep the number, or release a new version of the format",
    find: (pair) => containsLimitChanges(pair, { keywords: ["maxContains"], end: "most" }),
  },
  {
    id: "I9",
    name: "unevaluated-items-changed",
    summary: "Items that no other keyword evaluates must satisfy a different schema.",
    fix: "keep the list as open as it was, or release a new version of the format",
    find: (pair) => keywordChanges(pair, "unevaluatedItems"),
  },
];

function itemsChanges(pair: PlacePair): FoundChange[] {
  return presenceChanges(pair, "items");
}

/** Whether `items` is `false` in the version that has it. */
function isClosing({ old: older, new: newer }: FoundChange): boolean {
  return (newer ?? older)?.location.schema.items === false;
}

/** Changed limits for `contains`, if both versions have that. */
function containsLimitChanges(pair: PlacePair, limit: Limit): FoundChange[] {
  const [olds, news] = [pair.old.occurrences("contains"), pair.new.occurrences("contains")];
  if (olds.length === 0 || news.length === 0) return [];
  const violates = { backward: failsAny(news), forward: failsAny(olds) };
  return findLimitChanges(pair, [limit]).map((change) => ({ ...change, violates }));
}

/** The positions at the end of `prefixItems` that only one version has. */
function tupleChanges(pair: PlacePair, kind: "added" | "removed"): FoundChange[] {
  const [older, newer] = [tupleOf(pair.old), tupleOf(pair.new)];
  const [from, to] = [lengthOf(older), lengthOf(newer)];
  if (kind !== (to > from ? "added" : "removed")) return [];
  const verb = kind === "added" ? "now has" : "no longer has";
  return Array.from({ length: Math.abs(to - from) }, (_, step): FoundChange => {
    const index = Math.min(from, to) + step;
    const [before, after] = [
      violationAt(pair.old, older, index),
      violationAt(pair.new, newer, index),
    ];
    return {
      old: older && { ...older, below: [index] },
      new: newer && { ...newer, below: [index] },
      message: `${verb} a schema for item ${index}`,
      violates: {
        ...(after !== undefined && { backward: after }),
        ...(before !== undefined && { forward: before }),
      },
    };
  });
}

function tupleOf(place: Place): Occurrence | undefined {
  return place.occurrences("prefixItems").at(0);
}

function lengthOf(tuple: Occurrence | undefined): number {
  return Array.isArray(tuple?.value) ? tuple.value.length : 0;
}

/** A list whose item at an index is rejected, by `prefixItems` or else by `items`. */
function violationAt(
  place: Place,
  tuple: Occurrence | undefined,
  index: number,
): Formula | undefined {
  const rest = place.occurrences("items").find(({ value }) => isSchema(value));
  const own = tuple !== undefined && index < lengthOf(tuple) ? schemaAt(tuple, index) : undefined;
  const schema = own ?? (rest && schemaAt(rest));
  if (schema === undefined) return undefined;
  return all(
    isType("array"),
    { kind: "item-count", min: index + 1, max: Number.POSITIVE_INFINITY },
    { kind: "each-item", from: index, to: index + 1, is: rejected(schema) },
  );
}
