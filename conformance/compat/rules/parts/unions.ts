import { isJsonObject } from "../../../../src/json/value.js";
import { matchMembers } from "../../places/match-members.js";
import { constantProperties, requiredNames } from "../../places/objects.js";
import { type Occurrence, Place, schemaAt } from "../../places/place.js";
import type { PlacePair } from "../../places/place-pair.js";
import { all, any, type Formula } from "../../satisfiability/formula.js";
import type { SchemaClasses } from "../../satisfiability/schema-classes.js";
import type { SchemaLocation } from "../../schema-set.js";
import type { FoundChange } from "../rule.js";
import { changedInPlace, differencesOf } from "./differences.js";
import { toKeywordFinding } from "./keyword-changes.js";
import { accepted, fails } from "./violations.js";

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
