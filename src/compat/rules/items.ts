import { type Occurrence, type Place, type PlacePair, schemaAt } from "../places/place.js";
import { isSchema } from "../schema-set.js";
import { all, type Formula, isType } from "../solver/formula.js";
import { type Limit, limitChangeOf, limitChanges, toLimitFinding } from "./limits.js";
import {
  type FoundChange,
  failsAny,
  keywordChanges,
  presenceChanges,
  type Rule,
  rejected,
} from "./rule.js";

export const itemsAddedOrRemoved: Rule = {
  id: "I1",
  name: "items-added-or-removed",
  summary: "Items have to satisfy a schema now, or no longer.",
  mend: "keep the schema, or release a new version of the format",
  find(pair) {
    return presenceChanges(pair, "items").filter(
      ({ old: older, new: newer }) => (newer ?? older)?.location.schema.items !== false,
    );
  },
};

export const tupleItemAdded: Rule = {
  id: "I2",
  name: "tuple-item-added",
  summary: "A tuple has another item of its own.",
  mend: "see what stood there before",
  find(pair) {
    return tupleChanges(pair).added;
  },
};

export const tupleItemRemoved: Rule = {
  id: "I3",
  name: "tuple-item-removed",
  summary: "A tuple has an item of its own less.",
  mend: "see what may stand there now",
  find(pair) {
    return tupleChanges(pair).removed;
  },
};

export const tupleClosedOrOpened: Rule = {
  id: "I4",
  name: "tuple-closed-or-opened",
  summary: "Items beyond those of prefixItems are rejected now, or no longer.",
  mend: "leave the tuple open, or release a new version of the format",
  find(pair) {
    return presenceChanges(pair, "items").filter(
      ({ old: older, new: newer }) => (newer ?? older)?.location.schema.items === false,
    );
  },
};

export const itemCountChanged: Rule = {
  id: "I5",
  name: "item-count-changed",
  summary: "Lists of other lengths are allowed, or the same item twice.",
  mend: "keep the limit, or release a new version of the format",
  find(pair) {
    return [
      ...limitChanges(pair, LIMITS).map(toLimitFinding),
      ...keywordChanges(pair, "uniqueItems"),
    ];
  },
};

const LIMITS: readonly Limit[] = [
  { keywords: ["minItems"], end: "least", byDefault: 0 },
  { keywords: ["maxItems"], end: "most" },
];

export const containsChanged: Rule = {
  id: "I6",
  name: "contains-changed",
  summary: "A list has to contain something else.",
  mend: "keep what lists have to contain, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "contains");
  },
};

export const minContainsChanged: Rule = {
  id: "I7",
  name: "min-contains-changed",
  summary: "A list has to contain such an item more or less often; without minContains, once.",
  mend: "keep the number, or release a new version of the format",
  find(pair) {
    return containsLimitChanges(pair, { keywords: ["minContains"], end: "least", byDefault: 1 });
  },
};

export const maxContainsChanged: Rule = {
  id: "I8",
  name: "max-contains-changed",
  summary: "A list may contain such an item more or less often.",
  mend: "keep the number, or release a new version of the format",
  find(pair) {
    return containsLimitChanges(pair, { keywords: ["maxContains"], end: "most" });
  },
};

export const unevaluatedItemsChanged: Rule = {
  id: "I9",
  name: "unevaluated-items-changed",
  summary: "Items that no other keyword speaks of have to satisfy another schema.",
  mend: "keep the list as open as it was, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "unevaluatedItems");
  },
};

/** Items at the end of `prefixItems` that only one version has. */
export function tupleChanges(pair: PlacePair): {
  readonly added: readonly FoundChange[];
  readonly removed: readonly FoundChange[];
} {
  const [older, newer] = [lastTuple(pair.old), lastTuple(pair.new)];
  const [from, to] = [lengthOf(older), lengthOf(newer)];
  const changes = Array.from({ length: Math.abs(to - from) }, (_, step): FoundChange => {
    const index = Math.min(from, to) + step;
    const [before, after] = [
      violationAt(pair.old, older, index),
      violationAt(pair.new, newer, index),
    ];
    return {
      old: older && { ...older, below: [index] },
      new: newer && { ...newer, below: [index] },
      message: `${to > from ? "has a" : "has no"} schema for item ${index}${to > from ? " now" : " any more"}`,
      violates: {
        ...(after !== undefined && { backward: after }),
        ...(before !== undefined && { forward: before }),
      },
    };
  });
  return to > from ? { added: changes, removed: [] } : { added: [], removed: changes };
}

function lastTuple(place: Place): Occurrence | undefined {
  return place.occurrences("prefixItems").at(0);
}

function lengthOf(tuple: Occurrence | undefined): number {
  return Array.isArray(tuple?.value) ? tuple.value.length : 0;
}

/** A list whose item at an index one version rejects, by `prefixItems` or else by `items`. */
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

/** How often a list has to contain something, where both versions say what. */
export function containsLimitChanges(pair: PlacePair, limit: Limit): FoundChange[] {
  const [olds, news] = [pair.old.occurrences("contains"), pair.new.occurrences("contains")];
  const change = limitChangeOf(pair, limit);
  if (change === undefined || olds.length === 0 || news.length === 0) return [];
  const violates = { backward: failsAny(news), forward: failsAny(olds) };
  return [{ ...toLimitFinding(change), violates }];
}
