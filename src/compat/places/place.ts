import { toPointerToken } from "../../json/pointer.js";
import type { JsonObject } from "../../json/value.js";
import { childOf, type Direction, type SchemaLocation } from "../schema/schema-set.js";
import type { Formula } from "../solver/formula.js";
import type { SchemaClasses } from "../solver/schema-classes.js";

/** A schema that is an object, and where it stands. */
export interface ObjectLocation extends SchemaLocation {
  readonly schema: JsonObject;
}

/** A keyword as one schema has it. */
export interface Occurrence {
  readonly location: ObjectLocation;
  readonly keyword: string;
  readonly value: unknown;
}

/**
 * What one version demands of the values at one place, whatever else they are: some schemas, what they refer
 * to, and the members of their `allOf`.
 */
export class Place {
  /** The schemas that are objects. */
  readonly schemas: readonly ObjectLocation[];
  /** The first schema that is `false`: nothing can stand here. */
  readonly never: SchemaLocation | undefined;
  /** The schema that a person would look at; of a place that nothing is demanded of, the one around it. */
  readonly anchor: SchemaLocation;

  constructor(roots: readonly SchemaLocation[], around: SchemaLocation) {
    const all = new Map<string, SchemaLocation>();
    for (const root of roots) collect(root, all);
    const schemas = [...all.values()];
    this.schemas = schemas.filter(isObjectLocation);
    this.never = schemas.find(({ schema }) => schema === false);
    this.anchor = schemas[0] ?? around;
  }

  /** Every schema here that has the keyword. */
  occurrences(keyword: string): Occurrence[] {
    return this.schemas
      .filter(({ schema }) => schema[keyword] !== undefined)
      .map((location) => ({ location, keyword, value: location.schema[keyword] }));
  }

  /** The schema here that stands where one of the other version does; else the anchor. */
  counterpartOf(other: SchemaLocation | undefined): SchemaLocation {
    return this.schemas.find(({ pointer }) => pointer === other?.pointer) ?? this.anchor;
  }

  /** The same text for the same place. */
  get id(): string {
    return this.schemas.map(({ uri, pointer }) => `${uri}#${pointer}`).join(" ");
  }
}

/** The schema that a keyword holds, at some tokens from it. */
export function schemaAt(
  { location, keyword }: Occurrence,
  ...below: readonly (string | number)[]
): SchemaLocation {
  return childOf(location, toPointer(keyword, ...below));
}

export function toPointer(...tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${toPointerToken(token)}`).join("");
}

function collect(location: SchemaLocation, all: Map<string, SchemaLocation>): void {
  const id = `${location.uri}#${location.pointer}`;
  if (all.has(id)) return;
  all.set(id, location);
  if (!isObjectLocation(location)) return;
  const { schema, set } = location;
  if (typeof schema.$ref === "string") collect(set.resolve(location, schema.$ref), all);
  if (!Array.isArray(schema.allOf)) return;
  for (const index of schema.allOf.keys()) collect(childOf(location, `/allOf/${index}`), all);
}

function isObjectLocation(location: SchemaLocation): location is ObjectLocation {
  return typeof location.schema === "object";
}

/** The same place in both versions. */
export interface PlacePair {
  /** Where the values stand in a record: names of properties and indices; `*` for any. */
  readonly path: readonly string[];
  readonly old: Place;
  readonly new: Place;
  /** The same text for schemas that mean the same, in either version. */
  readonly classes: SchemaClasses;
  /** Whether what stands here is judged only under some condition, as in a member of `anyOf`. */
  readonly isConditional: boolean;
  /**
   * That a record has a value here of which `formula` is true, in a comparison in that direction; the condition
   * under which the writer's schema holds here is part of it.
   */
  embed(direction: Direction, formula: Formula): Formula;
}
