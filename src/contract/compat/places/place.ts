import { toPointerToken } from "../../../base/json/pointer.js";
import type { JsonObject } from "../../../base/json/value.js";
import { childOf, type Direction, type SchemaLocation } from "../schema/schema-set.js";
import type { Formula } from "../solver/logic/formula.js";
import type { SchemaClasses } from "../solver/schema-classes.js";

/** The location of a schema that is an object. */
export interface ObjectLocation extends SchemaLocation {
  readonly schema: JsonObject;
}

/** A keyword of one schema, with its value. */
export interface Occurrence {
  readonly location: ObjectLocation;
  readonly keyword: string;
  readonly value: unknown;
}

/**
 * The unconditional constraints of one version on the values at one place: some schemas, the targets of their
 * references, and the members of their `allOf`.
 */
export class Place {
  /** The schemas that are objects. */
  readonly schemas: readonly ObjectLocation[];
  /** The first schema that is `false`: no value is valid here. */
  readonly never: SchemaLocation | undefined;
  /** The schema to show to users; the enclosing one if the place has none. */
  readonly anchor: SchemaLocation;

  constructor(roots: readonly SchemaLocation[], around: SchemaLocation) {
    const all = new Map<string, SchemaLocation>();
    for (const root of roots) collect(root, all);
    const schemas = [...all.values()];
    this.schemas = schemas.filter(isObjectLocation);
    this.never = schemas.find(({ schema }) => schema === false);
    this.anchor = schemas[0] ?? around;
  }

  /** The occurrences of a keyword in these schemas. */
  occurrences(keyword: string): Occurrence[] {
    return this.schemas
      .filter(({ schema }) => Object.hasOwn(schema, keyword))
      .map((location) => ({ location, keyword, value: location.schema[keyword] }));
  }

  /** The schema at the same pointer as one of the other version; else the anchor. */
  counterpartOf(other: SchemaLocation | undefined): SchemaLocation {
    return this.schemas.find(({ pointer }) => pointer === other?.pointer) ?? this.anchor;
  }

  /** Identifies the place. */
  get id(): string {
    return this.schemas.map(({ uri, pointer }) => `${uri}#${pointer}`).join(" ");
  }
}

/** The schema in the value of a keyword, at some tokens below it. */
export function schemaAt(
  { location, keyword }: Occurrence,
  ...below: readonly (string | number)[]
): SchemaLocation {
  return childOf(location, toPointer(keyword, ...below));
}

export function toPointer(...tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${toPointerToken(token)}`).join("");
}

/** Adds a schema and those that apply with it. Does not recurse, because chains of references may be long. */
function collect(root: SchemaLocation, all: Map<string, SchemaLocation>): void {
  const waiting = [root];
  for (let location = waiting.pop(); location !== undefined; location = waiting.pop()) {
    const id = `${location.uri}#${location.pointer}`;
    if (all.has(id)) continue;
    all.set(id, location);
    if (!isObjectLocation(location)) continue;
    const { schema, set } = location;
    const members = Array.isArray(schema.allOf) ? schema.allOf : [];
    for (let index = members.length - 1; index >= 0; index -= 1) {
      waiting.push(childOf(location, `/allOf/${index}`));
    }
    if (typeof schema.$ref === "string") waiting.push(set.resolve(location, schema.$ref));
  }
}

function isObjectLocation(location: SchemaLocation): location is ObjectLocation {
  return typeof location.schema === "object";
}

/** The same place in both versions. */
export interface PlacePair {
  /** The place in a record: property names and indices; `*` for any. */
  readonly path: readonly string[];
  readonly old: Place;
  readonly new: Place;
  /** Classes of equivalent schemas, across both versions. */
  readonly classes: SchemaClasses;
  /** Whether the schemas here apply only under a condition, as in a member of `anyOf`. */
  readonly isConditional: boolean;
  /**
   * A record has a value here that satisfies `formula`. Includes the condition under which the writer's schema applies
   * in this direction.
   */
  embed(direction: Direction, formula: Formula): Formula;
}
