import { isJsonObject } from "../../../src/json/value.js";
import type { SchemaClasses } from "../satisfiability/schema-classes.js";
import type { SchemaLocation } from "../schema-set.js";
import { constantProperties } from "./objects.js";
import { type Occurrence, Place, schemaAt } from "./place.js";

/** Which member of an `anyOf` or `oneOf` became which, by index. */
export interface MatchedMembers {
  readonly pairs: readonly (readonly [old: number, new: number])[];
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

type Trait = (location: SchemaLocation) => string | undefined;

/**
 * Pairs members that mean the same, those of one name first. Of the others, those that refer to a definition of the
 * same name, then those that a constant tells apart, then those of the same JSON type; each only when it is the one of
 * its kind.
 */
export function matchMembers(
  older: Occurrence,
  newer: Occurrence,
  classes: SchemaClasses,
): MatchedMembers {
  const pairs: [number, number][] = [];
  const [olds, news] = [indicesOf(older), indicesOf(newer)];
  const meaning: Trait = (each) => classes.of(each);
  const named: Trait = (each) => `${classes.of(each)} ${referenceOf(each)}`;
  for (const trait of [named, meaning, referenceOf, constantsOf, typeOf]) {
    const isCertain = trait === named || trait === meaning;
    const candidates = groupBy(newer, news, trait);
    for (const [value, twins] of groupBy(older, olds, trait)) {
      const found = candidates.get(value) ?? [];
      if (!isCertain && twins.length + found.length > 2) continue;
      for (const [at, index] of twins.entries()) {
        const match = found[at];
        if (match === undefined) break;
        pairs.push([index, match]);
        olds.delete(index);
        news.delete(match);
      }
    }
  }
  return { pairs, removed: [...olds], added: [...news] };
}

function indicesOf({ value }: Occurrence): Set<number> {
  return new Set(Array.isArray(value) ? value.keys() : []);
}

function groupBy(
  union: Occurrence,
  indices: ReadonlySet<number>,
  trait: Trait,
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const index of indices) {
    const value = trait(schemaAt(union, index));
    if (value === undefined) continue;
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [index]);
    else group.push(index);
  }
  return groups;
}

function referenceOf({ schema }: SchemaLocation): string | undefined {
  const reference: unknown = isJsonObject(schema) ? schema.$ref : undefined;
  return typeof reference === "string" ? reference.split("/").at(-1) : undefined;
}

/** The constants by which members of a union are told apart. */
function constantsOf(location: SchemaLocation): string | undefined {
  const constants = [...constantProperties(new Place([location], location))];
  return constants.length === 0 ? undefined : JSON.stringify(constants.sort());
}

function typeOf(location: SchemaLocation): string | undefined {
  const types = new Place([location], location).occurrences("type").map(({ value }) => value);
  return types.length === 0 ? undefined : JSON.stringify(types);
}
