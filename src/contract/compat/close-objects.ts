import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { memoize } from "../../base/memoize.js";
import { IN_PLACE_APPLICATORS } from "../schemas/keywords.js";
import { Place } from "./places/place.js";
import { carryExactNumbers } from "./schema/exact-numbers.js";
import { childOf, type SchemaLocation, type SchemaSet } from "./schema/schema-set.js";
import { isSchema, type Schema, subschemas } from "./schema/subschemas.js";
import { convertSubschemas } from "./schema/walks.js";
import { isAnnotation, isAnything } from "./solver/to-formula.js";
import {
  findShared,
  groupParts,
  ITEMS,
  OTHERS,
  type Part,
  requiredBy,
  type Surface,
  surfacesOf,
} from "./surfaces.js";

/** Keywords that accept more values if their subschema accepts fewer. */
const NEGATIVE = new Set(["not", "if", "contains", "propertyNames"]);

/** In-place applicators that accept fewer values if their subschema accepts fewer. */
const IN_PLACE = new Set(IN_PLACE_APPLICATORS.filter((keyword) => !NEGATIVE.has(keyword)));

/**
 * Builds the schema of a writer that emits only properties declared by `root`: a copy of `root` in which
 * every object that declares properties is closed. Where several schemas apply together to a part of a record, as those of
 * two members of `allOf` to one property, it may have what any of them declares. The copy is added to the same set.
 */
export function closeObjects(root: SchemaLocation): SchemaLocation {
  return new Closing(root).close();
}

/** The schema of the values that are valid under both. It is added to the same set. */
export function intersect(one: SchemaLocation, other: SchemaLocation): SchemaLocation {
  const ids = [one, other].map(idOf);
  const schema = { allOf: ids.map(($ref) => ({ $ref })) };
  return one.set.add(schema, `both:/${ids.map(encodeURIComponent).join("/")}`);
}

/** Whether a schema is in a copy that was added, and not in the user's documents. */
export function isCopy({ uri }: Pick<SchemaLocation, "uri">): boolean {
  return /^(both|closed):/.test(uri);
}

/**
 * Where a set has the converted copies of its schemas, by what they are copies of: each is made once for all records in
 * which the same schemas apply together.
 */
const copiesIn = memoize((_set: SchemaSet) => new Map<string, Map<string, string>>());

let count = 0;
const numberOf = memoize((_: object) => {
  count += 1;
  return count;
});

/** Identifies what some schemas say together. */
const keyOf = memoize((surfaces: ReadonlySet<Surface>) =>
  [...surfaces].map(numberOf).sort().join(),
);

/** Limit on the schemas of what may be declared; beyond it, anything may. */
const MAX_DECLARATIONS = 1000;

class Closing {
  readonly #root: SchemaLocation;
  readonly #definitions: Record<string, Schema> = {};
  readonly #names = new Map<string, string>();
  /** Definitions that are still to be converted. */
  readonly #waiting: [name: string, SchemaLocation][] = [];
  readonly #known: Map<string, string>;
  readonly #shared: ReadonlyMap<Schema, ReadonlySet<Surface>>;
  /** By what schemas say together: a definition that accepts what they declare. */
  readonly #declarations = new Map<string, string>();
  readonly #undeclared: [name: string, Surface[]][] = [];

  constructor(root: SchemaLocation) {
    this.#root = root;
    this.#shared = findShared(root);
    const all = [...this.#shared].map(
      ([schema, surfaces]) => numberOf(Object(schema)) + keyOf(surfaces),
    );
    const key = all.sort().join(";");
    const copies = copiesIn(root.set);
    this.#known = copies.get(key) ?? new Map();
    copies.set(key, this.#known);
  }

  close(): SchemaLocation {
    const { set } = this.#root;
    const closed = this.#closed(this.#root);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      this.#definitions[next[0]] = this.#convert(next[1]);
    }
    for (let next = this.#undeclared.pop(); next !== undefined; next = this.#undeclared.pop()) {
      this.#definitions[next[0]] = this.#declare(next[1]);
    }
    const document = carryExactNumbers(closed, { $defs: this.#definitions, ...closed });
    const name = `${set.describe(this.#root)} (with declared properties only)`;
    const copy = set.add(document, `closed:/${encodeURIComponent(idOf(this.#root))}`, name);
    for (const [id, of] of this.#names) this.#known.set(id, `${copy.uri}#/$defs/${of}`);
    return copy;
  }

  /** A schema for a whole value. */
  #closed(location: SchemaLocation): { readonly [keyword: string]: unknown } {
    const schema = this.#convert(location);
    if (typeof schema === "boolean") return schema ? {} : { not: {} };
    const isOpen = schema.unevaluatedProperties === undefined && declaresProperties(location);
    if (!isOpen) return schema;
    return carryExactNumbers(schema, { ...schema, unevaluatedProperties: false });
  }

  #convert(location: SchemaLocation): Schema {
    const { schema, set } = location;
    if (typeof schema === "boolean") return schema;
    const converted = convertSubschemas(
      location,
      (keyword) => isSilent(keyword, schema[keyword]),
      (keyword, child) => this.#convertChild(keyword, child),
    );
    if (typeof schema.$ref === "string") {
      converted.$ref = this.#define(set.resolve(location, schema.$ref));
    }
    // Anything else beside them is declared if there is a schema for it.
    return converted.additionalProperties === undefined
      ? declareRequired(schema, converted)
      : converted;
  }

  #convertChild(keyword: string, child: SchemaLocation): Schema {
    if (NEGATIVE.has(keyword)) return { $ref: idOf(child) };
    if (IN_PLACE.has(keyword)) return this.#convert(child);
    const shared = this.#shared.get(child.schema);
    if (shared === undefined) return this.#closed(child);
    return { allOf: [{ $ref: idOf(child) }, this.#declared(shared)] };
  }

  /** The schema of what some schemas that apply together declare, whatever else they demand. */
  #declared(surfaces: ReadonlySet<Surface>): Schema {
    if (surfaces.size === 0 || [...surfaces].some(({ isOpen }) => isOpen)) return true;
    const key = keyOf(surfaces);
    const known = this.#declarations.get(key);
    if (known === undefined && this.#declarations.size >= MAX_DECLARATIONS) return true;
    const name = known ?? `declared${this.#declarations.size}`;
    if (known === undefined) this.#undeclared.push([name, [...surfaces]]);
    this.#declarations.set(key, name);
    return { $ref: `#/$defs/${name}` };
  }

  #declare(surfaces: readonly Surface[]): Schema {
    const parts = [...new Set(surfaces.flatMap((each) => each.parts))];
    const groups = groupParts(parts);
    const list = (...keywords: readonly string[]): Part[] =>
      parts.filter(({ keyword }) => keywords.includes(keyword));
    const declared = (some: readonly Part[]): Schema => this.#declared(new Set(surfacesOf(some)));
    const byName = (keyword: string): [name: string, Schema][] => {
      const named = new Map<string, Part[]>();
      for (const group of groups) {
        for (const { name } of group.filter((part) => part.keyword === keyword)) {
          const known = named.get(name) ?? [];
          known.push(...group);
          named.set(name, known);
        }
      }
      return [...named].map(([name, some]) => [name, declared(some)]);
    };
    const required = surfaces.flatMap((each) => each.required.map((name) => [name, true] as const));
    const others = list(...OTHERS);
    const isClosed = others.length === 0 && list("properties").length > 0;
    return {
      properties: Object.fromEntries([...required, ...byName("properties")]),
      patternProperties: Object.fromEntries(byName("patternProperties")),
      additionalProperties: !isClosed && declared(others),
      items: declared(list(...ITEMS)),
    };
  }

  /** A reference to the converted schema, which becomes a numbered definition. */
  #define(location: SchemaLocation): string {
    const id = idOf(location);
    const elsewhere = this.#known.get(id);
    if (elsewhere !== undefined) return elsewhere;
    const known = this.#names.get(id);
    if (known !== undefined) return `#/$defs/${known}`;
    const name = String(this.#names.size);
    this.#names.set(id, name);
    this.#waiting.push([name, location]);
    return `#/$defs/${name}`;
  }
}

/** What must be written is declared. */
function declareRequired(
  schema: JsonObject,
  converted: { [keyword: string]: unknown },
): JsonObject {
  const properties = Object(converted.properties);
  const missing = requiredBy(schema).filter((name) => !Object.hasOwn(properties, name));
  if (missing.length === 0) return converted;
  const required = Object.fromEntries(missing.map((name) => [name, true]));
  return carryExactNumbers(converted, { ...converted, properties: { ...properties, ...required } });
}

/** Whether a schema, or one that applies in place with it, declares properties. */
function declaresProperties(root: SchemaLocation): boolean {
  const seen = new Set<string>();
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const location of new Place([next], next).schemas) {
      const id = idOf(location);
      if (seen.has(id)) continue;
      seen.add(id);
      if (isJsonObject(location.schema.properties)) return true;
      for (const [pointer, , keyword] of subschemas(location.schema)) {
        if (IN_PLACE.has(keyword)) waiting.push(childOf(location, pointer));
      }
    }
  }
  return false;
}

/** Whether a keyword can be dropped: it changes no verdict. */
function isSilent(keyword: string, value: unknown): boolean {
  if (keyword === "additionalProperties") return isSchema(value) && isAnything(value);
  return isAnnotation(keyword) && keyword !== "format";
}

function idOf({ uri, pointer }: SchemaLocation): string {
  return `${uri}#${encodeURI(pointer)}`;
}
