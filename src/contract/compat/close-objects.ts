import { isJsonObject } from "../../base/json/value.js";
import { memoize } from "../../base/memoize.js";
import { IN_PLACE_APPLICATORS } from "../schemas/keywords.js";
import { Place } from "./places/place.js";
import { carryExactNumbers } from "./schema/exact-numbers.js";
import {
  childOf,
  convertSubschemas,
  isSchema,
  type Schema,
  type SchemaLocation,
  type SchemaSet,
  subschemas,
} from "./schema/schema-set.js";
import { isAnnotation, isAnything } from "./solver/to-formula.js";

/** Keywords that accept more values if their subschema accepts fewer. */
const NEGATIVE = new Set(["not", "if", "contains", "propertyNames"]);

/** In-place applicators that accept fewer values if their subschema accepts fewer. */
const IN_PLACE = new Set(IN_PLACE_APPLICATORS.filter((keyword) => !NEGATIVE.has(keyword)));

/**
 * Builds the schema of a writer that emits only properties declared by `root`: a copy of `root` in which
 * every object that declares properties is closed. The copy is added to the same set.
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

/** Where a set has the converted copies of its schemas, by what they are copies of: each is made once. */
const copiesIn = memoize((_set: SchemaSet) => new Map<string, string>());

class Closing {
  readonly #root: SchemaLocation;
  readonly #definitions: Record<string, Schema> = {};
  readonly #names = new Map<string, string>();
  /** Definitions that are still to be converted. */
  readonly #waiting: [name: string, SchemaLocation][] = [];
  readonly #known: Map<string, string>;

  constructor(root: SchemaLocation) {
    this.#root = root;
    this.#known = copiesIn(root.set);
  }

  close(): SchemaLocation {
    const { set } = this.#root;
    const closed = this.#closed(this.#root);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      this.#definitions[next[0]] = this.#convert(next[1]);
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
    return converted;
  }

  #convertChild(keyword: string, child: SchemaLocation): Schema {
    if (NEGATIVE.has(keyword)) return { $ref: idOf(child) };
    return IN_PLACE.has(keyword) ? this.#convert(child) : this.#closed(child);
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
