import { isJsonObject } from "../../json/value.js";
import { type Occurrence, type Place, schemaAt } from "../places/place.js";
import { all, type Formula } from "../solver/formula.js";
import { keysOf } from "../solver/keywords/objects.js";
import { type Limit, limitChanges, toLimitFinding } from "./limits.js";
import { has, keywordChanges, lacks, type Rule, rejected, someProperty } from "./rule.js";

export const patternPropertyAddedOrRemoved: Rule = {
  id: "A5",
  name: "pattern-property-added-or-removed",
  summary: "Names of a pattern have a schema now, or no longer.",
  mend: "keep the pattern, or release a new version of the format",
  find({ old: before, new: after }) {
    const [olds, news] = [before, after].map((place) =>
      place.occurrences("patternProperties").flatMap(toPatterns),
    );
    const missing = (pattern: string, others: readonly Entry[] = []): boolean =>
      !others.some((other) => other.pattern === pattern);
    return [
      ...(olds ?? [])
        .filter(({ pattern }) => missing(pattern, news))
        .map(({ pattern, occurrence, violation }) => ({
          old: { ...occurrence, below: [pattern] },
          message: `has no schema for names like ${pattern} any more`,
          violates: { forward: violation },
        })),
      ...(news ?? [])
        .filter(({ pattern }) => missing(pattern, olds))
        .map(({ pattern, occurrence, violation }) => ({
          new: { ...occurrence, below: [pattern] },
          message: `has a schema for names like ${pattern} now`,
          violates: { backward: violation },
        })),
    ];
  },
};

interface Entry {
  readonly pattern: string;
  readonly occurrence: Occurrence;
  /** A property of such a name that its schema rejects. */
  readonly violation: Formula;
}

function toPatterns(occurrence: Occurrence): Entry[] {
  return keysOf(occurrence.value).map((pattern) => {
    const is = rejected(schemaAt(occurrence, pattern));
    return { pattern, occurrence, violation: someProperty({ matching: [pattern] }, is) };
  });
}

export const propertyNamesChanged: Rule = {
  id: "A6",
  name: "property-names-changed",
  summary: "Names of properties have to satisfy another schema.",
  mend: "allow the names that old records have",
  find(pair) {
    return keywordChanges(pair, "propertyNames");
  },
};

export const propertyCountChanged: Rule = {
  id: "A7",
  name: "property-count-changed",
  summary: "An object may have another number of properties.",
  mend: "keep the limit, or release a new version of the format",
  find(pair) {
    return limitChanges(pair, LIMITS).map(toLimitFinding);
  },
};

const LIMITS: readonly Limit[] = [
  { keywords: ["minProperties"], end: "least", byDefault: 0 },
  { keywords: ["maxProperties"], end: "most" },
];

export const unevaluatedPropertiesChanged: Rule = {
  id: "A8",
  name: "unevaluated-properties-changed",
  summary: "Properties that no other keyword speaks of have to satisfy another schema.",
  mend: "keep the object as open as it was, or release a new version of the format",
  find(pair) {
    return keywordChanges(pair, "unevaluatedProperties");
  },
};

export const dependentRequiredChanged: Rule = {
  id: "D1",
  name: "dependent-required-changed",
  summary: "A property demands other ones beside it, or no longer.",
  mend: "keep the dependency, or release a new version of the format",
  find({ old: before, new: after }) {
    const [olds, news] = [dependenciesOf(before), dependenciesOf(after)];
    const missing = (others: readonly Dependency[]) => (each: Dependency) =>
      !others.some(({ name, needed }) => name === each.name && needed === each.needed);
    return [
      ...olds.filter(missing(news)).map(({ name, needed, occurrence }) => ({
        old: { ...occurrence, below: [name] },
        property: name,
        message: `no longer demands ${JSON.stringify(needed)} beside it`,
        violates: { forward: all(has(name), lacks(needed)) },
      })),
      ...news.filter(missing(olds)).map(({ name, needed, occurrence }) => ({
        new: { ...occurrence, below: [name] },
        property: name,
        message: `demands ${JSON.stringify(needed)} beside it now`,
        violates: { backward: all(has(name), lacks(needed)) },
      })),
    ];
  },
};

interface Dependency {
  readonly name: string;
  readonly needed: string;
  readonly occurrence: Occurrence;
}

function dependenciesOf(place: Place): Dependency[] {
  return place.occurrences("dependentRequired").flatMap((occurrence) => {
    const entries = isJsonObject(occurrence.value) ? Object.entries(occurrence.value) : [];
    return entries.flatMap(([name, needs]) =>
      (Array.isArray(needs) ? needs : []).map((needed) => ({
        name,
        needed: String(needed),
        occurrence,
      })),
    );
  });
}

export const dependentSchemaAddedOrRemoved: Rule = {
  id: "D2",
  name: "dependent-schema-added-or-removed",
  summary: "A schema holds where a property is there, or no longer.",
  mend: "keep the dependency, or release a new version of the format",
  find({ old: before, new: after }) {
    const [olds, news] = [dependentsOf(before), dependentsOf(after)];
    const missing = (others: readonly Dependent[]) => (each: Dependent) =>
      !others.some(({ name }) => name === each.name);
    return [
      ...olds.filter(missing(news)).map(({ name, occurrence, violation }) => ({
        old: { ...occurrence, below: [name] },
        property: name,
        message: "no longer brings a schema with it",
        violates: { forward: violation },
      })),
      ...news.filter(missing(olds)).map(({ name, occurrence, violation }) => ({
        new: { ...occurrence, below: [name] },
        property: name,
        message: "brings a schema with it now",
        violates: { backward: violation },
      })),
    ];
  },
};

interface Dependent {
  readonly name: string;
  readonly occurrence: Occurrence;
  readonly violation: Formula;
}

function dependentsOf(place: Place): Dependent[] {
  return place.occurrences("dependentSchemas").flatMap((occurrence) =>
    keysOf(occurrence.value).map((name) => ({
      name,
      occurrence,
      violation: all(has(name), rejected(schemaAt(occurrence, name))),
    })),
  );
}
