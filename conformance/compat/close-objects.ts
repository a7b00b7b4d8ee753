import { isJsonObject } from "../../src/records/json-object.js";
import { pointerTokens } from "../../src/records/resolve-pointer.js";
import { isAnything } from "./places/is-anything.js";
import { Place } from "./places/place.js";
import { isAnnotation } from "./satisfiability/annotations.js";
import { childOf, type SchemaLocation } from "./schema-set.js";
import { isSchema, type Schema, subschemas } from "./subschemas.js";

/** Keywords whose schemas hold for the value itself, not for a part of it. */
const IN_PLACE = new Set(["allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas"]);

/** Keywords whose schemas let more through the less they do. */
const NEGATIVE = new Set(["not", "if", "contains", "propertyNames"]);

/**
 * What a writer emits that knows no properties but those that `root` declares: the same schema with every
 * object closed that has declared properties. It stands in the same set.
 */
export function closeObjects(root: SchemaLocation): SchemaLocation {
  return new Closing(root).close();
}

class Closing {
  readonly #root: SchemaLocation;
  readonly #definitions: Record<string, Schema> = {};
  readonly #names = new Map<string, string>();

  constructor(root: SchemaLocation) {
    this.#root = root;
  }

  close(): SchemaLocation {
    const { set } = this.#root;
    const document = { $defs: this.#definitions, ...this.#closed(this.#root) };
    const name = `${set.describe(this.#root)} (with declared properties only)`;
    return set.add(document, `closed:/${encodeURIComponent(idOf(this.#root))}`, name);
  }

  /** A schema for a whole value. */
  #closed(location: SchemaLocation): { readonly [keyword: string]: unknown } {
    const schema = this.#convert(location);
    if (typeof schema === "boolean") return schema ? {} : { not: {} };
    const isOpen = schema.unevaluatedProperties === undefined && declaresProperties(location);
    return isOpen ? { ...schema, unevaluatedProperties: false } : schema;
  }

  #convert(location: SchemaLocation): Schema {
    const { schema, set } = location;
    if (typeof schema === "boolean") return schema;
    const converted: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (isAnnotation(keyword) && keyword !== "format") continue;
      if (keyword === "additionalProperties" && isSchema(value) && isAnything(value)) continue;
      converted[keyword] = copy(value);
    }
    for (const [pointer] of subschemas(schema)) {
      const [keyword = "", name] = pointerTokens(pointer);
      if (!Object.hasOwn(converted, keyword)) continue;
      const child = this.#convertChild(keyword, childOf(location, pointer));
      if (name === undefined) converted[keyword] = child;
      else Object.assign(Object(converted[keyword]), { [name]: child });
    }
    if (typeof schema.$ref === "string") {
      converted.$ref = this.#define(set.resolve(location, schema.$ref));
    }
    const { $dynamicRef } = schema;
    const target =
      typeof $dynamicRef === "string" ? set.resolveDynamic(location, $dynamicRef) : undefined;
    if (target !== undefined && converted.$ref === undefined) {
      delete converted.$dynamicRef;
      converted.$ref = this.#define(target);
    }
    return converted;
  }

  #convertChild(keyword: string, child: SchemaLocation): Schema {
    if (NEGATIVE.has(keyword)) return { $ref: idOf(child) };
    return IN_PLACE.has(keyword) ? this.#convert(child) : this.#closed(child);
  }

  /** Reference to the converted schema, which is entered under a number of its own. */
  #define(location: SchemaLocation): string {
    const id = idOf(location);
    const known = this.#names.get(id);
    if (known !== undefined) return `#/$defs/${known}`;
    const name = String(this.#names.size);
    this.#names.set(id, name);
    this.#definitions[name] = this.#convert(location);
    return `#/$defs/${name}`;
  }
}

/** Whether a schema, or one that may hold with it for the same value, declares properties. */
function declaresProperties(root: SchemaLocation, seen = new Set<string>()): boolean {
  return new Place([root], root).schemas.some((location) => {
    const id = idOf(location);
    if (seen.has(id)) return false;
    seen.add(id);
    if (isJsonObject(location.schema.properties)) return true;
    return subschemas(location.schema)
      .filter(([pointer]) => IN_PLACE.has(pointer.split("/")[1] ?? ""))
      .some(([pointer]) => declaresProperties(childOf(location, pointer), seen));
  });
}

/** Of a list or a map of schemas, whose members are then replaced. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  return isJsonObject(value) ? { ...value } : value;
}

function idOf({ uri, pointer }: SchemaLocation): string {
  return `${uri}#${encodeURI(pointer)}`;
}
