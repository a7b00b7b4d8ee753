import { isJsonObject } from "../../../base/json/value.js";
import { matchMembers, nameOfMember } from "../places/match-members.js";
import { membersOf, unionOf } from "../places/members.js";
import { type Occurrence, type Place, type PlacePair, schemaAt } from "../places/place.js";
import { allTagsOf, exclude } from "../solver/keywords/disjoint.js";
import { all, any, type Formula } from "../solver/logic/formula.js";
import {
  changedInPlace,
  differencesOf,
  keywordChanges,
  oneSidedChanges,
} from "./keyword-changes.js";
import type { FoundChange, Rule } from "./rule.js";
import { accepted, fails, failsAny } from "./violations.js";

export const unionRules: readonly Rule[] = [
  {
    id: "X1",
    name: "any-of-changed",
    summary: "A union gained or lost members.",
    fix: "keep the member; update readers before any writer uses a new one",
    find: (pair) => memberChanges(pair, "anyOf"),
  },
  {
    id: "X2",
    name: "one-of-changed",
    summary: "An exclusive union gained or lost members.",
    fix: "keep the member; update readers before any writer uses a new one",
    find: (pair) => memberChanges(pair, "oneOf"),
  },
  {
    id: "X3",
    name: "one-of-overlap",
    summary: "Members of an exclusive union overlap: values that both accept are rejected.",
    fix: "distinguish the members by a constant, or use anyOf",
    isSuspicion: true,
    find: findOverlap,
  },
  {
    id: "X4",
    name: "union-kind-changed",
    summary: "`oneOf` became `anyOf`, or the reverse.",
    fix: "keep the keyword, or distinguish the members by a constant",
    find: findChangedKind,
  },
  {
    id: "X6",
    name: "not-changed",
    summary: "The `not` schema changed: different values are forbidden.",
    fix: "forbid no more than before, or release a new version of the format",
    find: (pair) => keywordChanges(pair, "not"),
  },
  {
    id: "X7",
    name: "conditional-changed",
    summary: "A condition (`if`) or its consequences (`then`, `else`) changed.",
    fix: "keep the condition, or release a new version of the format",
    find: findChangedCondition,
  },
];

/** Members that a union lost or gained, and unions that only one version has. */
function memberChanges(pair: PlacePair, keyword: "anyOf" | "oneOf"): FoundChange[] {
  const other = changedKind(pair);
  // The rule of the new keyword tells what changed inside.
  if (other !== undefined && other[1].keyword !== keyword) return [];
  const difference = differencesOf(pair, keyword);
  const changed = other ?? changedInPlace(difference);
  if (changed === undefined) return oneSidedChanges(difference);
  const [older, newer] = changed;
  const { removed, added } = matchMembers(membersOf(older), membersOf(newer), pair.classes);
  // Once for all members, because the formulas are as long as the unions.
  const [failsOld, failsNew] = [fails(older), fails(newer)];
  return [
    ...removed.map((index): FoundChange => {
      const member = schemaAt(older, index);
      return {
        old: { ...older, below: [index] },
        new: newer,
        member: definitionOf(older, index),
        message: `${describe(older, index)} is no longer a member`,
        violates: { backward: all(accepted(member), failsNew) },
        breaksSource: { typescript: "the union lost a member", python: "the union lost a member" },
      };
    }),
    ...added.map((index): FoundChange => {
      const member = schemaAt(newer, index);
      return {
        old: older,
        new: { ...newer, below: [index] },
        member: definitionOf(newer, index),
        message: `${describe(newer, index)} is now a member`,
        violates: { forward: all(accepted(member), failsOld) },
        breaksSource: {
          typescript: "code that handles every member misses one",
          python: "code that handles every member misses one",
        },
      };
    }),
  ];
}

function describe(union: Occurrence, index: number): string {
  return nameOfMember(schemaAt(union, index)) ?? `${union.keyword} ${index}`;
}

/** The name of the definition to which a member refers. */
function definitionOf(union: Occurrence, index: number): string | undefined {
  const { schema } = schemaAt(union, index);
  const reference: unknown = isJsonObject(schema) ? schema.$ref : undefined;
  return typeof reference === "string" ? reference.split("/").at(-1) : undefined;
}

function findOverlap(pair: PlacePair): FoundChange[] {
  const { removed, added } = differencesOf(pair, "oneOf");
  const [older, newer] = [removed[0], added[0]];
  if (older === undefined || newer === undefined) return [];
  const { pairs } = matchMembers(membersOf(older), membersOf(newer), pair.classes);
  const same = pairs.filter(
    ([one, twin]) =>
      pair.classes.of(schemaAt(older, one)) === pair.classes.of(schemaAt(newer, twin)),
  );
  const [backward, forward] = [
    overlapOf(newer, new Set(same.map(([, twin]) => twin))),
    overlapOf(older, new Set(same.map(([one]) => one))),
  ];
  return [
    {
      old: older,
      new: newer,
      message: "members overlap: a value that several of them accept is rejected",
      violates: {
        ...(backward !== undefined && { backward }),
        ...(forward !== undefined && { forward }),
      },
    },
  ];
}

/**
 * A value that several members accept, other than two of the `kept`, which the other version rejects for the same
 * reason. Undefined if all members are clearly disjoint, or there are too many.
 */
function overlapOf(union: Occurrence, kept: ReadonlySet<number>): Formula | undefined {
  const members = membersOf(union);
  if (members.length > MAX_MEMBERS) return undefined;
  const overlaps = members.flatMap((one, index) =>
    members.slice(index + 1).flatMap((another, after) => {
      const next = index + 1 + after;
      if (kept.has(index) && kept.has(next)) return [];
      if (exclude(allTagsOf(one), allTagsOf(another))) return [];
      return [all(accepted(one), accepted(another))];
    }),
  );
  return overlaps.length === 0 ? undefined : any(...overlaps);
}

/** Limit on the members of which all pairs are compared. */
const MAX_MEMBERS = 150;

/** An `anyOf` rejects nothing that a `oneOf` of the same members accepts; the reverse depends on overlaps. */
function findChangedKind(pair: PlacePair): FoundChange[] {
  const changed = changedKind(pair);
  if (changed === undefined) return [];
  const [older, newer] = changed;
  const side = newer.keyword === "oneOf" ? "backward" : "forward";
  const overlap = overlapOf(side === "backward" ? newer : older, new Set());
  return [
    {
      old: older,
      new: newer,
      message: `was ${older.keyword}, is ${newer.keyword}`,
      ...(overlap !== undefined && { violates: { [side]: overlap } }),
    },
  ];
}

/** The only unions of both versions, if one is an `anyOf` and the other a `oneOf`. */
function changedKind(pair: PlacePair): readonly [Occurrence, Occurrence] | undefined {
  const [older, newer] = [unionOf(pair.old), unionOf(pair.new)];
  if (older === undefined || newer === undefined || older.keyword === newer.keyword) {
    return undefined;
  }
  return [older, newer];
}

const BRANCHES = ["then", "else"];

/** None if the change is inside a `then` or `else` that both versions have: that is a place of its own. */
function findChangedCondition(pair: PlacePair): FoundChange[] {
  const { removed, added } = differencesOf(pair, "if", BRANCHES);
  const [older, newer] = [removed[0], added[0]];
  if (older === undefined && newer === undefined) return [];
  if (areBranchesMatched(pair)) return [];
  return [
    {
      old: older,
      new: newer,
      message: "has a different condition, or different consequences",
      violates: {
        ...(added.length > 0 && { backward: failsAny(added) }),
        ...(removed.length > 0 && { forward: failsAny(removed) }),
      },
    },
  ];
}

function areBranchesMatched(pair: PlacePair): boolean {
  const { removed, added } = differencesOf(pair, "if");
  if (removed.length + added.length > 0) return false;
  return BRANCHES.every((branch) => hasBranch(pair.old, branch) === hasBranch(pair.new, branch));
}

function hasBranch(place: Place, branch: string): boolean {
  return place.occurrences("if").some(({ location }) => Object.hasOwn(location.schema, branch));
}
