import { addTo } from "../../../base/group-by.js";
import { isJsonObject } from "../../../base/json/value.js";
import { memoize } from "../../../base/memoize.js";
import type { SchemaLocation } from "../schema/schema-set.js";
import type { SchemaClasses } from "../solver/schema-classes.js";
import { pairByLikeness } from "./likeness.js";
import { constantProperties, declaredProperties } from "./members.js";
import { Place } from "./place.js";

/** Schemas of two versions, such as the members of a union, matched by index. */
interface MatchedMembers {
  readonly pairs: readonly (readonly [old: number, new: number])[];
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

/** Members with the same text are the same. Undefined if a member lacks the trait. */
type Trait = (member: SchemaLocation) => string | undefined;

/**
 * Pairs equivalent members, those with the same name first. Of the rest, pairs those with the same value of a
 * discriminator, the same title, references to definitions of the same names, mostly the same properties, or the same
 * JSON type; by likeness the most alike, by the other traits only if the pair is unique.
 */
export function matchMembers(
  older: readonly SchemaLocation[],
  newer: readonly SchemaLocation[],
  classes: SchemaClasses,
): MatchedMembers {
  const pairs: [number, number][] = [];
  const [olds, news] = [new Set(older.keys()), new Set(newer.keys())];
  const pair = (one: number, twin: number): void => {
    pairs.push([one, twin]);
    olds.delete(one);
    news.delete(twin);
  };
  const pairBy = (trait: Trait, isCertain = false): void => {
    const candidates = groupBy(newer, news, trait);
    for (const [value, twins] of groupBy(older, olds, trait)) {
      const found = candidates.get(value) ?? [];
      if (!isCertain && twins.length + found.length > 2) continue;
      for (const [at, index] of twins.entries()) {
        const twin = found[at];
        if (twin !== undefined) pair(index, twin);
      }
    }
  };
  pairBy((each) => `${classes.of(each)} ${referencesOf(each)}`, true);
  pairBy((each) => classes.of(each), true);
  if (olds.size === 0 || news.size === 0) return { pairs, removed: [...olds], added: [...news] };
  const left = (members: readonly SchemaLocation[], indices: ReadonlySet<number>) =>
    members.filter((_, index) => indices.has(index));
  for (const name of discriminators(left(older, olds), left(newer, news))) {
    pairBy((each) => constantsOf(each).get(name));
  }
  pairBy(titleOf);
  pairBy(referencesOf);
  const [oldIndices, newIndices] = [[...olds], [...news]];
  const alike = pairByLikeness(
    left(older, olds).map((each) => [...declaredProperties(placeOf(each)).keys()]),
    left(newer, news).map((each) => [...declaredProperties(placeOf(each)).keys()]),
  );
  for (const [one, twin] of alike) pair(oldIndices[one] ?? -1, newIndices[twin] ?? -1);
  pairBy(typeOf);
  return { pairs, removed: [...olds], added: [...news] };
}

/** How people call the member of a union: by its definition, its title or its constant; undefined if it has none. */
export function nameOfMember(member: SchemaLocation): string | undefined {
  const [constant] = constantsOf(member);
  return referencesOf(member) ?? titleOf(member) ?? constant?.join(" ");
}

function groupBy(
  members: readonly SchemaLocation[],
  indices: ReadonlySet<number>,
  trait: Trait,
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const index of indices) {
    const member = members[index];
    const value = member && trait(member);
    if (value !== undefined) addTo(groups, value, index);
  }
  return groups;
}

/** The names of properties with constants, those with the most values first. */
function discriminators(...versions: readonly (readonly SchemaLocation[])[]): string[] {
  const values = new Map<string, string[]>();
  for (const member of versions.flat()) {
    for (const [name, value] of constantsOf(member)) addTo(values, name, value);
  }
  return [...values]
    .map(([name, texts]) => ({ name, count: new Set(texts).size }))
    .sort((one, other) => other.count - one.count)
    .map(({ name }) => name);
}

function constantsOf(member: SchemaLocation): ReadonlyMap<string, string> {
  return constantProperties(placeOf(member));
}

/** The names of the definitions to which a member, or its `allOf`, refers. */
function referencesOf({ schema }: SchemaLocation): string | undefined {
  const parts = [
    schema,
    ...(isJsonObject(schema) && Array.isArray(schema.allOf) ? schema.allOf : []),
  ];
  const names = parts.flatMap((part) => {
    const reference: unknown = Object(part).$ref;
    return typeof reference === "string" ? (reference.split("/").at(-1) ?? []) : [];
  });
  return names.length === 0 ? undefined : names.join(" ");
}

function titleOf(member: SchemaLocation): string | undefined {
  return placeOf(member)
    .occurrences("title")
    .flatMap(({ value }) => (typeof value === "string" ? value : []))[0];
}

function typeOf(member: SchemaLocation): string | undefined {
  const types = placeOf(member)
    .occurrences("type")
    .map(({ value }) => value);
  return types.length === 0 ? undefined : JSON.stringify(types);
}

const placeOf = memoize((member: SchemaLocation) => new Place([member], member));
