import { addTo } from "../../../base/group-by.js";
import { isJsonObject } from "../../../base/json/value.js";
import { memoize } from "../../../base/memoize.js";
import { declaredProperties, type Mention, requiredNames, schemasFor } from "../places/members.js";
import type { Place, PlacePair } from "../places/place.js";
import type { SchemaLocation } from "../schema/schema-set.js";
import { isAnything } from "../solver/to-formula.js";
import type { Mentioned } from "./rule.js";

/** The keyword that names the previous name of a property. */
const RENAMED_FROM = "x-renamed-from";

/** A property that only one of the versions declares. */
export interface PropertyChange {
  readonly name: string;
  /** Its declaration. */
  readonly at: Mentioned;
  /** Its schemas in the version that declares it. */
  readonly schemas: readonly SchemaLocation[];
  /** The schemas that apply to its name in the other version. */
  readonly others: readonly SchemaLocation[];
  /** How the other version treats its name: anything is allowed, nothing is, or a schema applies. */
  readonly content: "open" | "closed" | "partial";
  /** Whether only one of the versions requires it. */
  readonly isRequirementChanged: boolean;
}

export function addedProperties(pair: PlacePair): PropertyChange[] {
  const renamed = new Set(renamedProperties(pair).map(({ to }) => to.name));
  return declaredOnly.new(pair).filter(({ name }) => !renamed.has(name));
}

export function removedProperties(pair: PlacePair): PropertyChange[] {
  const renamed = new Set(renamedProperties(pair).map(({ from }) => from.name));
  return declaredOnly.old(pair).filter(({ name }) => !renamed.has(name));
}

interface Rename {
  readonly from: PropertyChange;
  readonly to: PropertyChange;
}

/**
 * Renamed properties: those that name their previous name (`x-renamed-from`), and those with the schema and
 * description of exactly one removed property.
 */
export const renamedProperties = memoize((pair: PlacePair): readonly Rename[] => {
  const removed = declaredOnly.old(pair);
  if (removed.length === 0) return [];
  const byName = new Map(removed.map((from) => [from.name, from]));
  const byLikeness = new Map<string, PropertyChange[]>();
  for (const from of removed) {
    const likeness = likenessOf(pair, from);
    if (likeness !== undefined) addTo(byLikeness, likeness, from);
  }
  return declaredOnly.new(pair).flatMap((to): Rename[] => {
    const previous = to.schemas.map(({ schema }) => isJsonObject(schema) && schema[RENAMED_FROM]);
    const named = previous
      .filter((name) => typeof name === "string")
      .map((name) => byName.get(name))
      .find((each) => each !== undefined);
    const alike = byLikeness.get(likenessOf(pair, to) ?? "") ?? [];
    const from = named ?? (alike.length === 1 ? alike[0] : undefined);
    return from === undefined ? [] : [{ from, to }];
  });
});

interface RequirementChanges {
  readonly added: ReadonlyMap<string, Mention>;
  readonly removed: ReadonlyMap<string, Mention>;
}

/** Names that only one version requires, except those of renamed properties. */
export function requirementChanges(pair: PlacePair): RequirementChanges {
  const [olds, news] = [requiredNames(pair.old), requiredNames(pair.new)];
  const renames = renamedProperties(pair);
  const from = new Set(renames.map((each) => each.from.name));
  const to = new Set(renames.map((each) => each.to.name));
  return {
    added: new Map([...news].filter(([name]) => !olds.has(name) && !to.has(name))),
    removed: new Map([...olds].filter(([name]) => !news.has(name) && !from.has(name))),
  };
}

/** Whether exactly one name is required in place of another. */
export function isSwap({ added, removed }: RequirementChanges): boolean {
  return added.size === 1 && removed.size === 1;
}

export function toMentioned({ occurrence, index }: Mention): Mentioned {
  return { ...occurrence, below: [index] };
}

const declaredOnly = {
  old: memoize((pair: PlacePair) => findDeclaredOnlyIn(pair, "old")),
  new: memoize((pair: PlacePair) => findDeclaredOnlyIn(pair, "new")),
};

function findDeclaredOnlyIn(pair: PlacePair, side: "old" | "new"): PropertyChange[] {
  const other = pair[side === "old" ? "new" : "old"];
  const [own, others] = [declaredProperties(pair[side]), declaredProperties(other)];
  if (own.size === 0) return [];
  const [required, otherRequired] = [requiredNames(pair[side]), requiredNames(other)];
  return [...own]
    .filter(([name]) => !others.has(name))
    .map(([name]) => {
      const elsewhere = schemasFor(other, name);
      return {
        name,
        at: declarationOf(pair[side], name),
        schemas: schemasFor(pair[side], name),
        others: elsewhere,
        content: contentOf(elsewhere),
        isRequirementChanged: required.has(name) !== otherRequired.has(name),
      };
    });
}

function declarationOf(place: Place, name: string): Mentioned {
  const location = place.schemas.find(
    ({ schema: { properties } }) => isJsonObject(properties) && Object.hasOwn(properties, name),
  );
  if (location === undefined) throw new RangeError(`${name} is not declared`);
  return { location, keyword: "properties", below: [name] };
}

function contentOf(schemas: readonly SchemaLocation[]): PropertyChange["content"] {
  const demanding = schemas.filter((schema) => !isAnything(schema.schema));
  if (demanding.length === 0) return "open";
  return demanding.some(({ schema }) => schema === false) ? "closed" : "partial";
}

/** The same text for properties with equivalent schemas and the same description; undefined for those that allow anything. */
function likenessOf({ classes }: PlacePair, { schemas: [first] }: PropertyChange) {
  if (first === undefined || isAnything(first.schema)) return undefined;
  return JSON.stringify([classes.of(first), descriptionOf(first)]);
}

function descriptionOf({ schema }: SchemaLocation): unknown {
  return isJsonObject(schema) ? schema.description : undefined;
}
