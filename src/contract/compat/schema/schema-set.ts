import { isDeepStrictEqual } from "node:util";
import { resolvePointer, toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { UserError } from "../../../base/user-error.js";
import { LIST_APPLICATORS, MAP_APPLICATORS, SINGLE_APPLICATORS } from "../../schemas/keywords.js";
import { carryExactNumbers, haveSameNumbers } from "./exact-numbers.js";

/** Backward: new readers read old data. Forward: old readers read new data. */
export const DIRECTIONS = ["backward", "forward"] as const;
export type Direction = (typeof DIRECTIONS)[number];

const SINGLE = new Set(SINGLE_APPLICATORS);
const LISTS = new Set(LIST_APPLICATORS);
const MAPS = new Set(MAP_APPLICATORS);

/** A JSON Schema. */
export type Schema = boolean | JsonObject;

/** Whether a value has the type of a schema. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isJsonObject(value);
}

/** A direct subschema: its JSON Pointer from the parent, itself, and the parts of the pointer. */
export type Subschema = readonly [pointer: string, Schema, keyword: string, name?: string];

const found = new WeakMap<object, readonly Subschema[]>();

/** The direct subschemas of `schema`. Cached, because a loaded schema does not change. */
export function subschemas(schema: Schema): readonly Subschema[] {
  if (typeof schema === "boolean") return [];
  const known = found.get(schema) ?? [...findSubschemas(schema)];
  found.set(schema, known);
  return known;
}

function* findSubschemas(schema: JsonObject): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (SINGLE.has(keyword)) {
      if (isSchema(value)) yield [`/${keyword}`, value, keyword];
    } else if (LISTS.has(keyword)) {
      if (Array.isArray(value)) yield* findMembers(keyword, value);
    } else if (MAPS.has(keyword)) {
      if (isJsonObject(value)) yield* findMembers(keyword, value);
    }
  }
}

function* findMembers(keyword: string, members: object): Generator<Subschema> {
  for (const [name, child] of Object.entries(members)) {
    if (isSchema(child)) yield [`/${keyword}/${toPointerToken(name)}`, child, keyword, name];
  }
}

/** A schema and its place in a document. */
export interface SchemaLocation {
  /** The documents that the schema can refer to. */
  readonly set: SchemaSet;
  /** URI of the document, or of the resource in it that has its own `$id`. */
  readonly uri: string;
  /** JSON Pointer within that resource. */
  readonly pointer: string;
  readonly schema: Schema;
}

/**
 * How validators treat `format`: as an annotation (the default of draft 2020-12) or as an assertion (the validators
 * that this project generates).
 */
export type FormatMode = "annotate" | "assert";

/** A closed set of documents that refer to each other. Nothing outside the set is ever fetched. */
export class SchemaSet {
  readonly format: FormatMode;
  readonly #documents = new Map<string, Schema>();
  /** Names of the documents for messages. */
  readonly #names = new Map<string, string>();
  /** Schema resources by URI, and anchors by URI and name. */
  readonly #resources = new Map<string, Schema>();
  readonly #anchors = new Map<string, SchemaLocation>();
  /** URIs of resources and anchors that several different schemas claim. */
  readonly #ambiguous = new Set<string>();
  /** Schemas with a `$dynamicAnchor`, by its name. */
  readonly #dynamicAnchors = new Map<string, SchemaLocation[]>();
  readonly #locations = new Map<object, SchemaLocation>();

  constructor({ format = "annotate" }: { readonly format?: FormatMode } = {}) {
    this.format = format;
  }

  /**
   * Adds a document and returns its root. `uri` applies unless the document has an `$id`; `name` is used in
   * messages. Throws UserError (exit 3) if the document is nested too deeply.
   */
  add(document: Schema, uri: string, name = uri): SchemaLocation {
    this.#documents.set(uri, document);
    try {
      return this.#index(document, { set: this, uri, pointer: "", schema: document }, name);
    } catch (error) {
      if (error instanceof RangeError) throw new UserError(`${name}: is nested too deeply`);
      throw error;
    }
  }

  /** A location for messages: the document's name and the JSON Pointer. */
  describe({ uri, pointer }: SchemaLocation): string {
    return `${this.#names.get(uri) ?? uri} ${pointer}`.trim();
  }

  /** Replaces the URIs of documents in a message by their names. */
  rename(text: string): string {
    const uris = [...this.#names.keys(), ...this.#documents.keys()];
    return uris
      .sort((one, other) => other.length - one.length)
      .reduce((renamed, uri) => renamed.replaceAll(uri, this.#names.get(uri) ?? uri), text);
  }

  /** The documents, with the URIs under which they were added. */
  documents(): Iterable<readonly [uri: string, Schema]> {
    return this.#documents;
  }

  /** Whether the set has the document that a reference without fragment, written at `from`, leads to. */
  knows(from: SchemaLocation, reference: string): boolean {
    return this.#resources.has(toUri(reference, from.uri));
  }

  /**
   * Resolves a `$ref` that is written at `from`. Throws UserError (exit 3) if its target is not in the set, or is
   * ambiguous.
   */
  resolve(from: SchemaLocation, reference: string): SchemaLocation {
    const found = this.tryToResolve(from, reference);
    if (found === "ambiguous") {
      throw new UserError(`${this.describe(from)}: "$ref" is ambiguous: ${reference}`);
    }
    if (found !== undefined) return found;
    throw new UserError(
      `${this.describe(from)}: "$ref" cannot be resolved: ${reference} (nothing is fetched: --schema-root names the folder that contains it)`,
    );
  }

  /** The same, without an error: undefined if the target is not in the set. */
  tryToResolve(from: SchemaLocation, reference: string): SchemaLocation | "ambiguous" | undefined {
    const hash = `${reference}#`.indexOf("#");
    const uri = toUri(reference.slice(0, hash), from.uri);
    const pointer = decodeFragment(reference.slice(hash + 1));
    const anchor = `${uri}#${pointer}`;
    if (this.#ambiguous.has(uri) || this.#ambiguous.has(anchor)) return "ambiguous";
    if (pointer !== "" && !pointer.startsWith("/")) return this.#anchors.get(anchor);
    const schema = resolvePointer(this.#resources.get(uri), pointer);
    if (!isSchema(schema)) return undefined;
    // A schema inside a resource with its own `$id` is located by that `$id`.
    const known = isJsonObject(schema) ? this.#locations.get(schema) : undefined;
    return known ?? { set: this, uri, pointer, schema };
  }

  /**
   * Resolves a `$dynamicRef` whose target does not depend on the evaluation path. Undefined if several dynamic anchors
   * have its name.
   */
  resolveDynamic(from: SchemaLocation, reference: string): SchemaLocation | undefined {
    const target = this.resolve(from, reference);
    if (typeof target.schema === "boolean") return target;
    const { $dynamicAnchor } = target.schema;
    if (typeof $dynamicAnchor !== "string" || !reference.endsWith(`#${$dynamicAnchor}`))
      return target;
    return this.#dynamicAnchors.get($dynamicAnchor)?.length === 1 ? target : undefined;
  }

  /** Every schema in the set that is an object. */
  locations(): Iterable<SchemaLocation> {
    return this.#locations.values();
  }

  /** The location of a schema, by object identity. */
  locate(schema: object): SchemaLocation | undefined {
    return this.#locations.get(schema);
  }

  #name(anchor: string, location: SchemaLocation): void {
    const uri = `${location.uri}#${anchor}`;
    const known = this.#anchors.get(uri)?.schema;
    if (known !== undefined && !isSame(known, location.schema)) this.#ambiguous.add(uri);
    this.#anchors.set(uri, location);
  }

  #index(schema: Schema, location: SchemaLocation, name: string): SchemaLocation {
    const here = rebase(location);
    if (typeof schema === "object") {
      const { $anchor, $dynamicAnchor } = schema;
      if (typeof $anchor === "string") this.#name($anchor, here);
      if (typeof $dynamicAnchor === "string") {
        this.#name($dynamicAnchor, here);
        const known = this.#dynamicAnchors.get($dynamicAnchor) ?? [];
        this.#dynamicAnchors.set($dynamicAnchor, [...known, here]);
      }
      this.#locations.set(schema, here);
    }
    if (here.pointer === "") {
      const known = this.#resources.get(here.uri);
      if (known !== undefined && !isSame(known, schema)) this.#ambiguous.add(here.uri);
      this.#resources.set(here.uri, schema);
      this.#names.set(here.uri, name);
    }
    for (const [pointer, child] of subschemas(schema)) {
      const { $id } = Object(child);
      const childName = typeof $id === "string" ? `${name} (${$id})` : name;
      this.#index(child, { ...here, pointer: here.pointer + pointer, schema: child }, childName);
    }
    return here;
  }
}

/** Whether two schemas are literally equal. */
export function isSame(one: Schema, other: Schema): boolean {
  return isDeepStrictEqual(one, other) && haveSameNumbers(one, other);
}

/** The schema at a pointer below `location`. Throws RangeError if there is none. */
export function childOf(location: SchemaLocation, pointer: string): SchemaLocation {
  const schema = resolvePointer(location.schema, pointer);
  if (!isSchema(schema))
    throw new RangeError(`no schema at ${location.uri}#${location.pointer}${pointer}`);
  return rebase({ ...location, pointer: location.pointer + pointer, schema });
}

/** A schema with its own `$id` is a resource: pointers and references start there. */
function rebase(location: SchemaLocation): SchemaLocation {
  const { set, uri, schema } = location;
  if (typeof schema !== "object" || typeof schema.$id !== "string") return location;
  if (!URL.canParse(schema.$id, uri)) return location;
  return { set, uri: new URL(schema.$id, uri).href.replace(/#$/, ""), pointer: "", schema };
}

/** Resolves a reference without fragment; returns it unchanged if it is not a URI. "" is `base`, which may be a URN. */
function toUri(path: string, base: string): string {
  if (path === "") return base.replace(/#.*$/, "");
  return URL.canParse(path, base) ? new URL(path, base).href.replace(/#.*$/, "") : path;
}

/** Decodes a fragment or a path; returns it unchanged if it is not percent-encoded correctly. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Copies a schema without the keywords that `isDropped` names; `convert` replaces each of its direct subschemas. */
export function convertSubschemas(
  location: SchemaLocation,
  isDropped: (keyword: string) => boolean,
  convert: (keyword: string, child: SchemaLocation) => Schema,
): { [keyword: string]: unknown } {
  const { schema, set } = location;
  const kept = Object.entries(schema).filter(([keyword]) => !isDropped(keyword));
  // `fromEntries` makes own properties, even for `__proto__`.
  const converted = Object.fromEntries(kept.map(([keyword, value]) => [keyword, copy(value)]));
  carryExactNumbers(Object(schema), converted);
  for (const [pointer, child, keyword, name] of subschemas(schema)) {
    if (!Object.hasOwn(converted, keyword)) continue;
    const known = typeof child === "object" ? set.locate(child) : undefined;
    const result = convert(keyword, known ?? childOf(location, pointer));
    if (name === undefined) converted[keyword] = result;
    else Object.assign(Object(converted[keyword]), { [name]: result });
  }
  return converted;
}

/** A shallow copy, so that members can be replaced. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return carryExactNumbers(value, [...value]);
  return isJsonObject(value) ? carryExactNumbers(value, { ...value }) : value;
}
