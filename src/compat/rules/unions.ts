import { isJsonObject } from "../../json/value.js";
import { constantProperties, matchMembers, requiredNames } from "../places/members.js";
import { type Occurrence, Place, type PlacePair, schemaAt } from "../places/place.js";
import type { SchemaLocation } from "../schema-set.js";
import { all, any, type Formula } from "../solver/formula.js";
import type { SchemaClasses } from "../solver/schema-classes.js";
import {
  accepted,
  changedInPlace,
  differencesOf,
  type FoundChange,
  fails,
  failsAny,
  keywordChanges,
  type Rule,
  toKeywordFinding,
} from "./rule.js";

export const anyOfChanged: Rule = {
  id: "X1",
  name: "any-of-changed",
  summary: "A union has other members.",
  mend: "keep the member; readers have to know a new one before any writer uses it",
  find(pair) {
    return unionChanges(pair, "anyOf");
  },
};

export const oneOfChanged: Rule = {
  id: "X2",
  name: "one-of-changed",
  summary: "An exclusive union has other members.",
  mend: "keep the member; readers have to know a new one before any writer uses it",
  find(pair) {
    return unionChanges(pair, "oneOf");
  },
};

export const oneOfOverlap: Rule = {
  id: "X3",
  name: "one-of-overlap",
  summary: "Members of an exclusive union overlap, so that what both accept is rejected.",
  mend: "tell the members apart by a constant, or use anyOf",
  isSuspicion: true,
  find(pair) {
    const { removed, added } = differencesOf(pair, "oneOf");
    const [older, newer] = [removed[0], added[0]];
    if (older === undefined || newer === undefined) return [];
    const [backward, forward] = [
      overlapOf(newer, older, pair.classes),
      overlapOf(older, newer, pair.classes),
    ];
    return [
      {
        old: older,
        new: newer,
        message: "members overlap: what more than one accepts is rejected",
        violates: {
          ...(backward !== undefined && { backward }),
          ...(forward !== undefined && { forward }),
        },
      },
    ];
  },
};

export const unionKindChanged: Rule = {
  id: "X4",
  name: "union-kind-changed",
  summary: "An exclusive union became one that is not, or the reverse.",
  mend: "keep the kind, or tell the members apart by a constant",
  find(pair) {
    const [older, newer] = [unionsOf(pair.old), unionsOf(pair.new)];
    const [from, to] = [older[0], newer[0]];
    if (from === undefined || to === undefined || older.length + newer.length > 2) return [];
    if (from.keyword === to.keyword) return [];
    return [
      {
        old: from,
        new: to,
        message: `was ${from.keyword}, is ${to.keyword}`,
        violates: { backward: failsAny(newer), forward: failsAny(older) },
      },
    ];
  },
};

function unionsOf(place: Place): Occurrence[] {
  return [...place.occurrences("anyOf"), ...place.occurrences("oneOf")];
}

export const notChanged: Rule = {
  id: "X6",
  name: "not-changed",
  summary: "Something else must not be.",
  mend: "forbid no more than before, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "not");
  },
};

/** Members that a union lost or gained, and unions that only one version has. */
export function unionChanges(pair: PlacePair, keyword: "anyOf" | "oneOf"): FoundChange[] {
  const difference = differencesOf(pair, keyword);
  const changed = changedInPlace(difference);
  if (changed === undefined) {
    // A union of the other kind is there instead: that is one change, and another rule's.
    if (isReplaced(pair, keyword)) return [];
    return [
      ...difference.removed.map((older) => toKeywordFinding({ older })),
      ...difference.added.map((newer) => toKeywordFinding({ newer })),
    ];
  }
  const [older, newer] = changed;
  const { removed, added } = matchMembers(older, newer, pair.classes);
  return [
    ...removed.map((index): FoundChange => {
      const member = schemaAt(older, index);
      return {
        old: { ...older, below: [index] },
        new: newer,
        member: definitionOf(older, index),
        message: `${describe(older, index)} is a member no longer`,
        violates: { backward: all(accepted(member), fails(newer)) },
        breaksSource: { typescript: "the union lost a member", python: "the union lost a member" },
      };
    }),
    ...added.map((index): FoundChange => {
      const member = schemaAt(newer, index);
      return {
        old: older,
        new: { ...newer, below: [index] },
        member: definitionOf(newer, index),
        message: `${describe(newer, index)} is a member now`,
        violates: { forward: all(accepted(member), fails(older)) },
        breaksSource: {
          typescript: "code that handles every member misses one",
          python: "code that handles every member misses one",
        },
      };
    }),
  ];
}

/**
 * A value that more than one member accepts, and that the other version does not reject for the same reason;
 * undefined where members are plainly told apart.
 */
export function overlapOf(
  union: Occurrence,
  other: Occurrence,
  classes: SchemaClasses,
): Formula | undefined {
  const kept = new Set(matchSameMembers(union, other, classes));
  const members = membersOf(union);
  const tags = members.map(tagsOf);
  const overlaps = members.flatMap((one, index) =>
    members.slice(index + 1).flatMap((another, after) => {
      const next = index + 1 + after;
      if (kept.has(index) && kept.has(next)) return [];
      if (areToldApart(tags[index], tags[next])) return [];
      return [all(accepted(one), accepted(another))];
    }),
  );
  return overlaps.length === 0 ? undefined : any(...overlaps);
}

function membersOf(union: Occurrence): SchemaLocation[] {
  const count = Array.isArray(union.value) ? union.value.length : 0;
  return Array.from({ length: count }, (_, index) => schemaAt(union, index));
}

/** Indices of the members that mean the same as one of the other union, each as another one. */
function matchSameMembers(union: Occurrence, other: Occurrence, classes: SchemaClasses): number[] {
  return matchMembers(union, other, classes)
    .pairs.filter(
      ([index, twin]) => classes.of(schemaAt(union, index)) === classes.of(schemaAt(other, twin)),
    )
    .map(([index]) => index);
}

/** The constants that every value of a member has, by their properties. */
type Tags = ReadonlyMap<string, string>;

function tagsOf(member: SchemaLocation): Tags {
  const place = new Place([member], member);
  const isObject = place.occurrences("type").some(({ value }) => value === "object");
  const required = requiredNames(place);
  const constants = [...constantProperties(place)];
  return new Map(isObject ? constants.filter(([name]) => required.has(name)) : []);
}

/** Whether a property that both require is another constant in each. */
function areToldApart(one: Tags | undefined, other: Tags | undefined): boolean {
  return [...(one ?? [])].some(([name, text]) => (other?.get(name) ?? text) !== text);
}

function isReplaced(pair: PlacePair, keyword: "anyOf" | "oneOf"): boolean {
  const other = keyword === "anyOf" ? "oneOf" : "anyOf";
  const { removed, added } = differencesOf(pair, other);
  return removed.length + added.length === 1;
}

function describe(union: Occurrence, index: number): string {
  return definitionOf(union, index) ?? `${union.keyword} ${index}`;
}

/** Name of the definition to which a member refers. */
function definitionOf(union: Occurrence, index: number): string | undefined {
  const { schema } = schemaAt(union, index);
  const reference: unknown = isJsonObject(schema) ? schema.$ref : undefined;
  return typeof reference === "string" ? reference.split("/").at(-1) : undefined;
}

const BRANCHES = ["then", "else"];

/**
 * A change of what holds under a condition; none where only the inside of a `then` or `else` changed that both
 * versions have under the same condition, since that is a place of its own.
 */
export function conditionalChanges(pair: PlacePair): FoundChange[] {
  const { removed, added } = differencesOf(pair, "if", BRANCHES);
  const [older, newer] = [removed[0], added[0]];
  if (older === undefined && newer === undefined) return [];
  if (isMatched(pair)) return [];
  return [
    {
      old: older,
      new: newer,
      message: "has another condition, or something else holds under it",
      violates: {
        ...(added.length > 0 && { backward: failsAny(added) }),
        ...(removed.length > 0 && { forward: failsAny(removed) }),
      },
    },
  ];
}

function isMatched(pair: PlacePair): boolean {
  const { removed, added } = differencesOf(pair, "if");
  if (removed.length + added.length > 0) return false;
  return BRANCHES.every((branch) => has(pair.old, branch) === has(pair.new, branch));
}

function has(place: Place, branch: string): boolean {
  return place
    .occurrences("if")
    .some(({ location }: Occurrence) => Object.hasOwn(location.schema, branch));
}

export const conditionalChanged: Rule = {
  id: "X7",
  name: "conditional-changed",
  summary: "What holds under a condition is something else.",
  mend: "keep the condition, or release a new version of the format",
  find(pair) {
    return conditionalChanges(pair);
  },
};
