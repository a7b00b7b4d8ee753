import { isDeepStrictEqual } from "node:util";
import { resolvePointer, toPointerToken } from "../json/pointer.js";
import { isJsonObject, type JsonObject } from "../json/value.js";
import { LIST_APPLICATORS, MAP_APPLICATORS, SINGLE_APPLICATORS } from "../schemas/keywords.js";
import { UserError } from "../user-error.js";

/** Who reads what: new readers old data, or old readers new data. */
export const DIRECTIONS = ["backward", "forward"] as const;
export type Direction = (typeof DIRECTIONS)[number];

const SINGLE = new Set(SINGLE_APPLICATORS);
const LISTS = new Set(LIST_APPLICATORS);
const MAPS = new Set(MAP_APPLICATORS);

/** What may stand where JSON Schema wants a schema. */
export type Schema = boolean | JsonObject;

/** Whether a value may be a schema. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isJsonObject(value);
}

/** A schema in another one: its JSON Pointer from there, itself, and what the pointer is made of. */
export type Subschema = readonly [pointer: string, Schema, keyword: string, name?: string];

const found = new WeakMap<object, readonly Subschema[]>();

/** The schemas that stand directly in `schema`. They are looked for once: a schema that was read does not change. */
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

/** A schema, and where in which document it stands. */
export interface SchemaLocation {
  /** The documents that it can refer to. */
  readonly set: SchemaSet;
  /** URI of the document, or of the resource in it that has an `$id` of its own. */
  readonly uri: string;
  /** JSON Pointer from there. */
  readonly pointer: string;
  readonly schema: Schema;
}

/**
 * What `format` is to a validator: an annotation, as draft 2020-12 has it unless told otherwise, or an assertion,
 * as it is to the validators that this project generates.
 */
export type FormatMode = "annotate" | "assert";

/** Documents that refer to each other, and nothing beyond them: what is not in here is never fetched. */
export class SchemaSet {
  readonly format: FormatMode;
  readonly #documents = new Map<string, Schema>();
  /** What people call each of them. */
  readonly #names = new Map<string, string>();
  /** Each schema resource by its URI, and each anchor by URI and name. */
  readonly #resources = new Map<string, Schema>();
  readonly #anchors = new Map<string, SchemaLocation>();
  /** URIs of resources, and of anchors, that schemas have which do not say the same. */
  readonly #ambiguous = new Set<string>();
  /** The places of each `$dynamicAnchor`, by its name. */
  readonly #dynamicAnchors = new Map<string, SchemaLocation[]>();
  readonly #locations = new Map<object, SchemaLocation>();

  constructor({ format = "annotate" }: { readonly format?: FormatMode } = {}) {
    this.format = format;
  }

  /**
   * Adds a document and gives its root. `uri` is its own unless it has an `$id`, and `name` is what people call
   * it. Throws UserError (exit 3) when it is nested too deeply to be walked.
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

  /** A location for people: the document's name and the JSON Pointer from there. */
  describe({ uri, pointer }: SchemaLocation): string {
    return `${this.#names.get(uri) ?? uri} ${pointer}`.trim();
  }

  /** What somebody says who knows the documents by their URIs, with what people call them. */
  rename(text: string): string {
    const uris = [...this.#names.keys(), ...this.#documents.keys()];
    return uris
      .sort((one, other) => other.length - one.length)
      .reduce((said, uri) => said.replaceAll(uri, this.#names.get(uri) ?? uri), text);
  }

  /** The documents with the URIs under which they were added. */
  documents(): Iterable<readonly [uri: string, Schema]> {
    return this.#documents;
  }

  /**
   * The schema that `reference`, written at `from`, leads to. Throws UserError (exit 3) when it leads out of
   * the set.
   */
  resolve(from: SchemaLocation, reference: string): SchemaLocation {
    const hash = `${reference}#`.indexOf("#");
    const uri = toUri(reference.slice(0, hash), from.uri);
    const pointer = decode(reference.slice(hash + 1));
    const anchor = `${uri}#${pointer}`;
    if (this.#ambiguous.has(uri) || this.#ambiguous.has(anchor)) {
      throw new UserError(`${this.describe(from)}: "$ref" leads to several schemas: ${reference}`);
    }
    if (pointer !== "" && !pointer.startsWith("/")) {
      const named = this.#anchors.get(anchor);
      if (named !== undefined) return named;
    } else {
      const schema = resolvePointer(this.#resources.get(uri), pointer);
      // What has an `$id`, or stands in what has one, is known by that.
      const known = isJsonObject(schema) ? this.#locations.get(schema) : undefined;
      if (isSchema(schema)) return known ?? { set: this, uri, pointer, schema };
    }
    throw new UserError(
      `${this.describe(from)}: "$ref" leads nowhere: ${reference} (remote schemas are never fetched: name the file that holds it)`,
    );
  }

  /**
   * Where a `$dynamicRef` leads to wherever it is come from: to the only anchor of its name. Undefined when
   * there is none, or when there are several, of which the outermost on the way would be meant.
   */
  resolveDynamic(from: SchemaLocation, reference: string): SchemaLocation | undefined {
    const target = this.resolve(from, reference);
    if (typeof target.schema === "boolean") return target;
    const { $dynamicAnchor } = target.schema;
    if (typeof $dynamicAnchor !== "string" || !reference.endsWith(`#${$dynamicAnchor}`))
      return target;
    return this.#dynamicAnchors.get($dynamicAnchor)?.length === 1 ? target : undefined;
  }

  /** Every schema that is an object. */
  locations(): Iterable<SchemaLocation> {
    return this.#locations.values();
  }

  /** Where a schema stands, by the very object. */
  locate(schema: object): SchemaLocation | undefined {
    return this.#locations.get(schema);
  }

  #name(anchor: string, location: SchemaLocation): void {
    const uri = `${location.uri}#${anchor}`;
    const known = this.#anchors.get(uri)?.schema;
    if (known !== undefined && !isDeepStrictEqual(known, location.schema)) this.#ambiguous.add(uri);
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
      if (known !== undefined && !isDeepStrictEqual(known, schema)) this.#ambiguous.add(here.uri);
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

/** The schema below `location` at a pointer; it has to be there. */
export function childOf(location: SchemaLocation, pointer: string): SchemaLocation {
  const schema = resolvePointer(location.schema, pointer);
  if (!isSchema(schema))
    throw new RangeError(`no schema at ${location.uri}#${location.pointer}${pointer}`);
  return rebase({ ...location, pointer: location.pointer + pointer, schema });
}

/** A schema with an `$id` of its own is a resource, from which pointers and references count. */
function rebase(location: SchemaLocation): SchemaLocation {
  const { set, uri, schema } = location;
  if (typeof schema !== "object" || typeof schema.$id !== "string") return location;
  if (!URL.canParse(schema.$id, uri)) return location;
  return { set, uri: new URL(schema.$id, uri).href.replace(/#$/, ""), pointer: "", schema };
}

/** A reference without its fragment, as it is written where it is no URI. */
function toUri(path: string, base: string): string {
  return URL.canParse(path, base) ? new URL(path, base).href.replace(/#.*$/, "") : path;
}

/** A fragment as it is meant; as it is written where its percent signs are none of an encoding. */
function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
