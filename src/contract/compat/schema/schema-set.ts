import type { FormatUse } from "#generated/index.js";
import { addTo } from "../../../base/group-by.js";
import { pointerTokens, resolvePointer, toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject } from "../../../base/json/value.js";
import { UserError } from "../../../base/user-error.js";
import { canonicalHash } from "../../schemas/hashes.js";
import {
  forgetSubschemas,
  isSame,
  isSchema,
  type Schema,
  subschemas,
  valueAt,
} from "./subschemas.js";
import { decodeFragment, toUri } from "./uris.js";

/** Backward: new readers read old data. Forward: old readers read new data. */
export const DIRECTIONS = ["backward", "forward"] as const;
export type Direction = (typeof DIRECTIONS)[number];

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
 * Keyword of a hole: a schema that a reference leads to and that nobody has, or of which a part cannot be read. Its value is
 * the address, or says in words which part that is.
 */
export const HOLE = "rollout-wire:unknown";

/** Keyword beside a `contains` of 2019-09, whose items do not count as evaluated. */
export const LEAVES_UNEVALUATED = "rollout-wire:leaves-unevaluated";

/** Keyword beside the `integer` of draft-04: numbers are written without a fraction and an exponent. */
export const WRITTEN_WHOLE = "draft-04:integer";

/** A document, or a schema in it that has its own `$id`. */
interface Resource {
  readonly root: SchemaLocation;
  readonly document: Document;
  /** The base of its references. Other documents may have the same, so it is not always its URI in the set. */
  readonly base: string;
  readonly anchors: Map<string, SchemaLocation[]>;
}

/** The document that has a name, and the resources in it by their bases. */
interface Document {
  readonly name: string;
  readonly resources: Map<string, SchemaLocation[]>;
  /** Where references lead in it, by the resource and the reference. */
  readonly targets: Map<string, Target>;
}

/** What a reference leads to in the document that contains it; undefined if it leads to another document. */
type Target = SchemaLocation | "ambiguous" | "nowhere" | undefined;

/** A closed set of documents that refer to each other. Nothing outside the set is ever fetched. */
export class SchemaSet {
  readonly format: FormatUse;
  readonly #documents = new Map<string, Schema>();
  /** By their URIs in the set. */
  readonly #resources = new Map<string, Resource>();
  /** Names of the resources for messages. */
  readonly #names = new Map<string, string>();
  readonly #locations = new Map<object, SchemaLocation>();

  constructor({ format = "annotate" }: { readonly format?: FormatUse } = {}) {
    this.format = format;
  }

  /**
   * Adds a document and returns its root. `uri` applies unless the document has an `$id`; if another document has the same,
   * this one gets a URI of its own. `name` is used in messages. Throws UserError (exit 3) if the document is nested too
   * deeply.
   */
  add(document: Schema, uri: string, name = uri): SchemaLocation {
    const known = this.#resources.get(uri)?.root;
    if (known !== undefined && isSame(known.schema, document)) return known;
    try {
      const root = { set: this, uri, pointer: "", schema: document };
      const added = this.#addResource(
        root,
        { name, resources: new Map(), targets: new Map() },
        name,
      );
      this.#documents.set(added.uri, document);
      return added;
    } catch (error) {
      if (error instanceof RangeError) throw new UserError(`${name}: is nested too deeply`);
      throw error;
    }
  }

  /** The schema of which is only known that it is the one that `text` says. */
  hole(text: string): SchemaLocation {
    const uri = `${HOLE}?${encodeURIComponent(text)}`;
    return this.#resources.get(uri)?.root ?? this.add({ [HOLE]: text }, uri, text);
  }

  /** A location for messages: the document's name and the JSON Pointer. */
  describe({ uri, pointer }: SchemaLocation): string {
    return `${this.#names.get(uri) ?? uri} ${pointer}`.trim();
  }

  documents(): Schema[] {
    return [...this.#documents.values()];
  }

  /** The base of the references in a resource. */
  baseOf({ uri }: SchemaLocation): string {
    return this.#resources.get(uri)?.base ?? uri;
  }

  /** Resolves a `$ref` that is written at `from`: to a hole if its target is not in the set, or is ambiguous. */
  resolve(from: SchemaLocation, reference: string): SchemaLocation {
    const found = this.tryToResolve(from, reference);
    return typeof found === "object" ? found : this.hole(this.addressOf(from, reference, found));
  }

  /** What a hole says about a reference that leads nowhere, or to one of several schemas. */
  addressOf(from: SchemaLocation, reference: string, problem?: "ambiguous" | undefined): string {
    const [path = "", fragment] = reference.split(/#(.*)/s);
    const at = fragment ? `#${encodeURI(decodeFragment(fragment))}` : "";
    const address = toUri(path, this.baseOf(from)) + at;
    return problem === undefined ? address : `${address} (several schemas have this name)`;
  }

  /** The same, but undefined if the target is not in the set. The document itself comes first, then all others. */
  tryToResolve(from: SchemaLocation, reference: string): SchemaLocation | "ambiguous" | undefined {
    const within = this.findWithin(from, reference);
    if (within !== undefined) return within === "nowhere" ? undefined : within;
    const [path = "", fragment = ""] = reference.split(/#(.*)/s);
    const other = this.#resources.get(toUri(path, this.baseOf(from)));
    const found = other && this.findWithin(other.root, `#${fragment}`);
    return found === "nowhere" ? undefined : found;
  }

  /** What a reference leads to in the document that contains it. */
  findWithin(from: SchemaLocation, reference: string): Target {
    const targets = this.#resources.get(from.uri)?.document.targets;
    const key = `${from.uri} ${reference}`;
    const target = targets?.get(key) ?? this.#findWithin(from, reference);
    targets?.set(key, target);
    return target;
  }

  #findWithin(from: SchemaLocation, reference: string): Target {
    const [path = "", fragment = ""] = reference.split(/#(.*)/s);
    const own = this.#resources.get(from.uri);
    const uri = toUri(path, this.baseOf(from));
    const claims = path === "" ? own && [own.root] : own?.document.resources.get(uri);
    const [root] = claims ?? [];
    if (claims === undefined || root === undefined) return undefined;
    if (!areSame(claims)) return "ambiguous";
    const pointer = decodeFragment(fragment);
    if (pointer !== "" && !pointer.startsWith("/")) {
      const anchored = this.#resources.get(root.uri)?.anchors.get(pointer) ?? [];
      return areSame(anchored) ? (anchored[0] ?? "nowhere") : "ambiguous";
    }
    const schema = resolvePointer(root.schema, pointer);
    if (!isSchema(schema)) return "nowhere";
    // A schema inside a resource with its own `$id` is located by that `$id`.
    const known = isJsonObject(schema) ? this.#locations.get(schema) : undefined;
    return known ?? { ...root, pointer, schema };
  }

  /** The dynamic anchors of a resource, by name. */
  dynamicAnchorsOf(uri: string): ReadonlyMap<string, SchemaLocation> {
    const named = [...(this.#resources.get(uri)?.anchors ?? [])].flatMap(([name, locations]) => {
      const dynamic = locations.find(({ schema }) => Object(schema).$dynamicAnchor === name);
      return dynamic === undefined ? [] : [[name, dynamic] as const];
    });
    return new Map(named);
  }

  /** Makes a schema a part of its document that no known keyword contains, such as one in `components`. */
  adopt(location: SchemaLocation): void {
    const own = this.#resources.get(location.uri);
    if (own !== undefined) {
      own.document.targets.clear();
      this.#index(location, own.document, own.anchors, this.#names.get(location.uri) ?? "");
    }
  }

  /** Every schema in the set that is an object. */
  locations(): Iterable<SchemaLocation> {
    return this.#locations.values();
  }

  /** The location of a schema, by object identity. */
  locate(schema: object): SchemaLocation | undefined {
    return this.#locations.get(schema);
  }

  /** `location`: where it would be if it had no `$id`. */
  #addResource(location: SchemaLocation, document: Document, name: string): SchemaLocation {
    const named = rebase(location);
    let { uri } = named;
    for (let count = 2; this.#resources.has(uri); count += 1) uri = `${named.uri}?${count}`;
    // Without an `$id`, nothing but the set knows it: another document with that URI stays what references to it mean.
    const base = named === location ? uri : named.uri;
    const root = { ...location, uri, pointer: "" };
    const anchors = new Map<string, SchemaLocation[]>();
    this.#resources.set(uri, { root, document, base, anchors });
    this.#names.set(uri, name);
    addTo(document.resources, base, root);
    this.#index(root, document, anchors, name);
    return root;
  }

  #index(
    here: SchemaLocation,
    document: Document,
    anchors: Resource["anchors"],
    name: string,
  ): void {
    const { schema } = here;
    if (typeof schema === "boolean") return;
    this.#locations.set(schema, here);
    for (const anchor of new Set([schema.$anchor, schema.$dynamicAnchor])) {
      if (typeof anchor === "string") addTo(anchors, anchor, here);
    }
    for (const [pointer, child] of subschemas(schema)) {
      const below = { ...here, pointer: here.pointer + pointer, schema: child };
      if (rebase(below) === below) this.#index(below, document, anchors, name);
      else this.#addResource(below, document, `${name} (${Object(child).$id})`);
    }
  }
}

/** What tells documents from others: what cannot be read in them may depend on everything there. */
export function stampOf(documents: readonly Schema[]): string {
  return `, in ${canonicalHash(documents).slice(-8)}`;
}

/** Whether one name, of whatever schemas, can only mean one. */
function areSame([first, ...others]: readonly SchemaLocation[]): boolean {
  return others.every(({ schema }) => first !== undefined && isSame(first.schema, schema));
}

/** The schema at a pointer below `location`. Throws RangeError if there is none. */
export function childOf(location: SchemaLocation, pointer: string): SchemaLocation {
  const schema = valueAt(location.schema, pointer);
  if (!isSchema(schema))
    throw new RangeError(`no schema at ${location.uri}#${location.pointer}${pointer}`);
  const known = typeof schema === "object" ? location.set.locate(schema) : undefined;
  return known ?? rebase({ ...location, pointer: location.pointer + pointer, schema });
}

/** Puts another schema in the place of a part of one, or where none was before. */
export function replaceAt(location: SchemaLocation, pointer: string, schema: Schema): void {
  const tokens = pointerTokens(pointer);
  const above = tokens.slice(0, -1).map((token) => `/${toPointerToken(token)}`);
  const container = resolvePointer(location.schema, above.join(""));
  Object.assign(Object(container), { [tokens.at(-1) ?? ""]: schema });
  forgetSubschemas(location.schema);
  location.set.adopt({ ...location, pointer: location.pointer + pointer, schema });
}

/** A schema with its own `$id` is a resource: pointers and references start there. */
function rebase(location: SchemaLocation): SchemaLocation {
  const { set, schema } = location;
  if (typeof schema !== "object" || typeof schema.$id !== "string") return location;
  // What has a fragment names no resource.
  if (/#./s.test(schema.$id)) return location;
  const base = set.baseOf(location);
  if (!URL.canParse(schema.$id, base)) return location;
  return { set, uri: toUri(schema.$id, base), pointer: "", schema };
}
