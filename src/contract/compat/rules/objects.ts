import { isJsonObject } from "../../../base/json/value.js";
import { type Occurrence, type Place, type PlacePair, schemaAt } from "../places/place.js";
import { keysOf } from "../solver/keywords/objects.js";
import { all, type Formula } from "../solver/logic/formula.js";
import { keywordChanges } from "./keyword-changes.js";
import { findLimitChanges } from "./limits.js";
import type { FoundChange, Rule } from "./rule.js";
import { has, lacks, rejected, someProperty } from "./violations.js";

export const objectRules: readonly Rule[] = [
  {
    id: "A5",
    name: "pattern-property-added-or-removed",
    summary: "A pattern for property names was added or removed.",
    fix: "keep the pattern, or release a new version of the format",
    find: (pair) =>
      memberChanges(pair, patternsOf, {
        removed: ({ name }) => `no longer has a schema for names that match ${name}`,
        added: ({ name }) => `now has a schema for names that match ${name}`,
      }),
  },
  {
    id: "A6",
    name: "property-names-changed",
    summary: "Property names must satisfy a different schema.",
    fix: "allow the names that old records have",
    find: (pair) => keywordChanges(pair, "propertyNames"),
  },
  {
    id: "A7",
    name: "property-count-changed",
    summary: "The allowed number of properties changed.",
    fix: "keep the limit, or release a new version of the format",
    find: (pair) =>
      findLimitChanges(pair, [
        { keywords: ["minProperties"], end: "least", byDefault: 0 },
        { keywords: ["maxProperties"], end: "most" },
      ]),
  },
  {
    id: "A8",
    name: "unevaluated-properties-changed",
    summary: "Properties that no other keyword evaluates must satisfy a different schema.",
    fix: "keep the object as open as it was, or release a new version of the format",
    find: (pair) => keywordChanges(pair, "unevaluatedProperties"),
  },
  {
    id: "D1",
    name: "dependent-required-changed",
    summary: "A property requires other properties in one version only.",
    fix: "keep the dependency, or release a new version of the format",
    find: (pair) =>
      memberChanges(pair, dependenciesOf, {
        removed: ({ needed }) => `no longer requires ${JSON.stringify(needed)} beside it`,
        added: ({ needed }) => `now requires ${JSON.stringify(needed)} beside it`,
      }).map(withProperty),
  },
  {
    id: "D2",
    name: "dependent-schema-added-or-removed",
    summary: "The schema that applies if a property is present was added or removed.",
    fix: "keep the dependency, or release a new version of the format",
    find: (pair) =>
      memberChanges(pair, dependentsOf, {
        removed: () => "no longer makes a schema apply",
        added: () => "now makes a schema apply",
      }).map(withProperty),
  },
];

/** A member of a keyword whose value is an object. */
interface Member {
  readonly occurrence: Occurrence;
  readonly name: string;
  /** The name of the property that `dependentRequired` requires. */
  readonly needed?: string;
  /** A value that the member rejects. */
  readonly violation: Formula;
}

/** The members that only one version has. */
function memberChanges(
  pair: PlacePair,
  membersOf: (place: Place) => readonly Member[],
  describe: Readonly<Record<"removed" | "added", (member: Member) => string>>,
): FoundChange[] {
  const [olds, news] = [membersOf(pair.old), membersOf(pair.new)];
  const keyOf = ({ name, needed }: Member): string => JSON.stringify([name, needed]);
  const missingIn = (others: readonly Member[]) => {
    const keys = new Set(others.map(keyOf));
    return (each: Member): boolean => !keys.has(keyOf(each));
  };
  return [
    ...olds.filter(missingIn(news)).map((member) => ({
      old: { ...member.occurrence, below: [member.name] },
      message: describe.removed(member),
      violates: { forward: member.violation },
    })),
    ...news.filter(missingIn(olds)).map((member) => ({
      new: { ...member.occurrence, below: [member.name] },
      message: describe.added(member),
      violates: { backward: member.violation },
    })),
  ];
}

/** For members whose name is that of a property. */
function withProperty(change: FoundChange): FoundChange {
  return { ...change, property: String((change.old ?? change.new)?.below?.[0]) };
}

function patternsOf(place: Place): Member[] {
  return place.occurrences("patternProperties").flatMap((occurrence) =>
    keysOf(occurrence.value).map((name) => {
      const is = rejected(schemaAt(occurrence, name));
      return { occurrence, name, violation: someProperty({ matching: [name] }, is) };
    }),
  );
}

function dependenciesOf(place: Place): Member[] {
  return place.occurrences("dependentRequired").flatMap((occurrence) => {
    const entries = isJsonObject(occurrence.value) ? Object.entries(occurrence.value) : [];
    return entries.flatMap(([name, needs]) =>
      (Array.isArray(needs) ? needs : []).map(String).map((needed) => ({
        occurrence,
        name,
        needed,
        violation: all(has(name), lacks(needed)),
      })),
    );
  });
}

function dependentsOf(place: Place): Member[] {
  return place.occurrences("dependentSchemas").flatMap((occurrence) =>
    keysOf(occurrence.value).map((name) => ({
      occurrence,
      name,
      violation: all(has(name), rejected(schemaAt(occurrence, name))),
    })),
  );
}
