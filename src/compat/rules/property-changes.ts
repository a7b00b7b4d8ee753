import { isJsonObject } from "../../json/value.js";
import { declaredProperties, type Mention, requiredNames, schemasFor } from "../places/members.js";
import type { Place, PlacePair } from "../places/place.js";
import type { SchemaLocation } from "../schema/schema-set.js";
import { keysOf } from "../solver/keywords/objects.js";
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
  return declaredOnlyIn(pair, "new").filter(({ name }) => !renamed.has(name));
}

export function removedProperties(pair: PlacePair): PropertyChange[] {
  const renamed = new Set(renamedProperties(pair).map(({ from }) => from.name));
  return declaredOnlyIn(pair, "old").filter(({ name }) => !renamed.has(name));
}

interface Rename {
  readonly from: PropertyChange;
  readonly to: PropertyChange;
}

/**
 * Renamed properties: those that name their previous name (`x-renamed-from`), and those with the schema and
 * description of exactly one removed property.
 */
export function renamedProperties(pair: PlacePair): Rename[] {
  const removed = declaredOnlyIn(pair, "old");
  if (removed.length === 0) return [];
  return declaredOnlyIn(pair, "new").flatMap((to): Rename[] => {
    const previous = to.schemas.map(({ schema }) => isJsonObject(schema) && schema[RENAMED_FROM]);
    const named = removed.find(({ name }) => previous.includes(name));
    const alike = removed.filter((from) => isAlike(pair, from, to));
    const from = named ?? (alike.length === 1 ? alike[0] : undefined);
    return from === undefined ? [] : [{ from, to }];
  });
}

interface RequirementChanges {
  readonly added: ReadonlyMap<string, Mention>;
  readonly removed: ReadonlyMap<string, Mention>;
}

/** Names that only one version requires, except those of renamed properties. */
export function requirementChanges(pair: PlacePair): RequirementChanges {
  const [olds, news] = [requiredNames(pair.old), requiredNames(pair.new)];
  const renames = renamedProperties(pair);
  const [from, to] = [renames.map((each) => each.from.name), renames.map((each) => each.to.name)];
  return {
    added: new Map([...news].filter(([name]) => !olds.has(name) && !to.includes(name))),
    removed: new Map([...olds].filter(([name]) => !news.has(name) && !from.includes(name))),
  };
}

/** Whether exactly one name is required in place of another. */
export function isSwap({ added, removed }: RequirementChanges): boolean {
  return added.size === 1 && removed.size === 1;
}

export function toMentioned({ occurrence, index }: Mention): Mentioned {
  return { ...occurrence, below: [index] };
}

function declaredOnlyIn(pair: PlacePair, side: "old" | "new"): PropertyChange[] {
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
  const location = place.schemas.find(({ schema }) => keysOf(schema.properties).includes(name));
  if (location === undefined) throw new RangeError(`${name} is not declared`);
  return { location, keyword: "properties", below: [name] };
}

function contentOf(schemas: readonly SchemaLocation[]): PropertyChange["content"] {
  const demanding = schemas.filter((schema) => !isAnything(schema.schema));
  if (demanding.length === 0) return "open";
  return demanding.some(({ schema }) => schema === false) ? "closed" : "partial";
}

function isAlike(
  { classes }: PlacePair,
  { schemas: [from] }: PropertyChange,
  { schemas: [to] }: PropertyChange,
): boolean {
  if (from === undefined || to === undefined || isAnything(from.schema)) return false;
  return classes.of(from) === classes.of(to) && descriptionOf(from) === descriptionOf(to);
}

function descriptionOf({ schema }: SchemaLocation): unknown {
  return isJsonObject(schema) ? schema.description : undefined;
}
