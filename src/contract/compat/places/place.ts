import { toPointerToken } from "../../../base/json/pointer.js";
import type { JsonObject } from "../../../base/json/value.js";
import { childOf, type Direction, type SchemaLocation } from "../schema/schema-set.js";
import type { Schema } from "../schema/subschemas.js";
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
  /** Identifies the place, whatever plain references lead there. */
  readonly id: string;

  constructor(roots: readonly SchemaLocation[], around: SchemaLocation) {
    const all = new Map<string, SchemaLocation>();
    for (const root of roots) collect(root, all);
    const schemas = [...all.values()];
    this.schemas = schemas.filter(isObjectLocation);
    this.never = schemas.find(({ schema }) => schema === false);
    this.anchor = schemas[0] ?? around;
    const named = [...all].filter(([, { schema }]) => !isBareReference(schema));
    this.id = named.map(([id]) => id).join(" ");
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

/** Whether a schema says nothing but where another one is. */
function isBareReference(schema: Schema): boolean {
  return (
    typeof schema === "object" && schema.$ref !== undefined && Object.keys(schema).length === 1
  );
}

function isObjectLocation(location: SchemaLocation): location is ObjectLocation {
  return typeof location.schema === "object";
}

/** What the path to a place says about it: it is that of a whole record, or a property that holds the format's version. */
export type Role = "root" | "version" | undefined;

/** The same place in both versions, wherever in a record it is: there is one for all types that contain it. */
export interface PlacePair {
  /** Identifies both places. */
  readonly id: string;
  readonly old: Place;
  readonly new: Place;
  readonly role: Role;
  /** Classes of equivalent schemas, across both versions. */
  readonly classes: SchemaClasses;
}

/** A child place, relative to its parent. */
export interface Step {
  readonly token?: string;
  readonly old: readonly SchemaLocation[];
  readonly new: readonly SchemaLocation[];
  readonly embed: (direction: Direction, formula: Formula) => Formula;
  readonly isConditional?: boolean;
}

/** How a walk through the records of one type comes to a place. */
interface Way {
  readonly step: Step;
  readonly around: PlaceVisit;
  /** Whether it was there before. */
  readonly isRepeated: boolean;
}

/** Where a pair of places is in the records of one type. */
export class PlaceVisit {
  readonly pair: PlacePair;
  /** The number of steps from the root. */
  readonly depth: number;
  readonly #way: Way | undefined;

  /** `way`: undefined at the root. */
  constructor(pair: PlacePair, way?: Way) {
    this.pair = pair;
    this.depth = way === undefined ? 0 : way.around.depth + 1;
    this.#way = way;
  }

  get isRepeated(): boolean {
    return this.#way?.isRepeated === true;
  }

  /** The place in a record: property names and indices; `*` for any. */
  get path(): readonly string[] {
    return [...this.#ways()].flatMap(({ step }) => step.token ?? []).reverse();
  }

  /** Whether the schemas here apply to the value of a place around this one. */
  get isInPlace(): boolean {
    return this.#way !== undefined && this.#way.step.token === undefined;
  }

  /** Whether the schemas here apply only under a condition, as in a member of `anyOf`. */
  get isConditional(): boolean {
    return [...this.#ways()].some(({ step }) => step.isConditional === true);
  }

  /**
   * A record has a value here that satisfies `formula`. Includes the condition under which the writer's schema applies
   * in this direction.
   */
  embed(direction: Direction, formula: Formula): Formula {
    return [...this.#ways()].reduce((is, { step }) => step.embed(direction, is), formula);
  }

  /** From the place outwards. */
  *#ways(): Generator<Way> {
    for (let way = this.#way; way !== undefined; way = way.around.#way) yield way;
  }
}
