import { posix } from "node:path";
import { formatNumber } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { DEFINITION_KEYWORDS } from "../../schemas/keywords.js";
import type { NamedText } from "../../schemas/schema-id.js";
import { toUpgradedPointer } from "./dialects.js";
import { DynamicReferences } from "./dynamic-references.js";
import { findMetaschema } from "./metaschemas.js";
import { type ParsedSchema, type ParseOptions, parseSchema, settleFaults } from "./parse-schema.js";
import {
  candidatesOf,
  dialectFinder,
  findNamed,
  isMeant,
  type SchemaFiles,
} from "./schema-files.js";
import { childOf, replaceAt, type SchemaLocation, stampOf } from "./schema-set.js";
import { isSame, subschemas } from "./subschemas.js";
import { decodeFragment, toUri } from "./uris.js";
import { referencesOf } from "./walks.js";

/** Where the schemas are to which a schema may refer. */
export interface ReferenceSource {
  /** Schemas that a reference may name by `$id`, in the order in which they count. They are read when one is needed. */
  readonly others: Iterable<NamedText>;
  /** The files that a reference may name by their path. Default: none. */
  readonly files?: SchemaFiles;
  /** Whether every definition of every document counts, and not only those that a reference reaches. */
  readonly isWhole?: boolean;
}

/** A reference that leads to no schema. */
export interface Unresolved {
  /** The place of the reference, for messages. */
  readonly from: string;
  /** The absolute address, or what is wrong in words. */
  readonly text: string;
  /** The error if the schema is needed; undefined for an address elsewhere, which nobody is expected to have here. */
  readonly fault: string | undefined;
  /** Whether the fault is in a document that is here: of that part, nobody knows what it accepts. */
  readonly isWithin: boolean;
}

/** Limit on the documents of one schema. */
const MAX_DOCUMENTS = 5000;

interface Loaded extends ParsedSchema, Pick<ParseOptions, "faults"> {
  readonly root: SchemaLocation;
  readonly path: string | undefined;
}

/**
 * Adds the documents to which a document refers, and those to which these refer; the references lead there afterwards, or
 * to holes. Every schema of the document itself counts, of others only those that a reference reaches: nothing else that
 * lies beside it matters. Returns the references that lead to holes, by the URI of the hole.
 *
 * Throws UserError (exit 3) if there are too many documents.
 */
export function loadReferences(
  root: SchemaLocation,
  parsed: ParsedSchema & Pick<ParseOptions, "faults">,
  source: ReferenceSource,
): ReadonlyMap<string, Unresolved> {
  return new ReferenceLoader({ ...parsed, root, path: source.files?.path }, source).load();
}

interface Reference {
  readonly location: SchemaLocation;
  readonly keyword: string;
  readonly reference: string;
  readonly document: Loaded;
}

class ReferenceLoader {
  readonly #main: Loaded;
  readonly #source: ReferenceSource;
  /** By path or name: a document, or why it cannot be read. */
  readonly #documents = new Map<string, Loaded | UserError>();
  readonly #seen = new Map<object, SchemaLocation>();
  /** The documents of the resources that were reached. */
  readonly #owners = new Map<string, Loaded>();
  readonly #waiting: [SchemaLocation, Loaded][] = [];
  readonly #unresolved = new Map<string, Unresolved>();

  constructor(main: Loaded, source: ReferenceSource) {
    this.#main = main;
    this.#source = source;
    if (main.path !== undefined) this.#documents.set(main.path, main);
    this.#visit(main.root, main);
  }

  load(): ReadonlyMap<string, Unresolved> {
    let open: Reference[] = [];
    for (let before = -1; before !== this.#seen.size; ) {
      before = this.#seen.size;
      open = [...open, ...this.#walk()].filter((each) => !this.#settleElsewhere(each));
      if (before !== this.#seen.size) continue;
      for (const target of this.#followDynamic()?.targets() ?? []) {
        const document = this.#owners.get(target.uri);
        if (document !== undefined) this.#visit(target, document);
      }
    }
    for (const each of open) this.#giveUp(each, URL.canParse(pathOf(each.reference)));
    this.#followDynamic()?.settle();
    return this.#unresolved;
  }

  #followDynamic(): DynamicReferences | undefined {
    const schemas = [...this.#seen.keys()];
    const isDynamic = schemas.some((schema) => Object.hasOwn(schema, "$dynamicRef"));
    return isDynamic ? new DynamicReferences(this.#main.root, this.#seen.values()) : undefined;
  }

  #visit(location: SchemaLocation, document: Loaded): void {
    const { schema } = location;
    if (typeof schema === "boolean" || this.#seen.has(schema)) return;
    this.#seen.set(schema, location);
    this.#owners.set(location.uri, document);
    this.#waiting.push([location, document]);
  }

  /** Follows all references; returns those to documents that neither a path nor a name leads to. */
  #walk(): Reference[] {
    const open: Reference[] = [];
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const [location, document] = next;
      for (const [pointer, , keyword] of subschemas(location.schema)) {
        const isWhole = document === this.#main || this.#source.isWhole === true;
        const isNeeded = isWhole || !DEFINITION_KEYWORDS.includes(keyword);
        if (isNeeded) this.#visit(childOf(location, pointer), document);
      }
      for (const [keyword, reference] of referencesOf(location)) {
        const each = { location, keyword, reference, document };
        if (!this.#settle(each)) open.push(each);
      }
    }
    return open;
  }

  /** Makes a reference lead to its target, or to a hole. False if no document is known that it leads to. */
  #settle(each: Reference): boolean {
    const { location, reference, document } = each;
    const { set } = location;
    const within = set.findWithin(location, reference);
    if (within !== undefined) return this.#follow(each, within, location, document);
    const found = this.#findDocument(each);
    if (found === undefined) return false;
    if (found === "ambiguous") {
      const address = set.addressOf(location, reference, found);
      const fault = `${set.describe(location)}: "${each.keyword}" is ambiguous: ${address}`;
      this.#leaveOpen(each, address, fault);
    } else if (found instanceof UserError) this.#leaveOpen(each, found.message, found.message);
    else this.#followTo(each, found);
    return true;
  }

  /** The same if a document that was reached by another reference has the resource. */
  #settleElsewhere(each: Reference): boolean {
    for (const document of this.#documents.values()) {
      if (document instanceof UserError) continue;
      const uri = toUri(pathOf(each.reference), each.location.set.baseOf(each.location));
      const resource = document.root.set.findWithin(document.root, uri);
      if (typeof resource !== "object") continue;
      this.#followTo(each, document, resource);
      return true;
    }
    return false;
  }

  #followTo(each: Reference, document: Loaded, resource = this.#resourceOf(each, document)): void {
    const found = resource.set.findWithin(resource, each.reference.replace(/^[^#]*/s, "") || "#");
    this.#follow(each, found ?? "nowhere", resource, document);
  }

  /** The part of a document that has the `$id` that a reference names; else the document. */
  #resourceOf({ location, reference }: Reference, { root }: Loaded): SchemaLocation {
    const uri = toUri(pathOf(reference), location.set.baseOf(location));
    const found = root.set.findWithin(root, uri);
    return typeof found === "object" ? found : root;
  }

  /** The same where an older dialect calls a keyword differently. */
  #findMoved({ location, reference }: Reference, from: SchemaLocation) {
    const { set } = location;
    const resource = set.resolve(from, "#");
    const pointer = decodeFragment(reference.replace(/^[^#]*#?/s, ""));
    if (!pointer.startsWith("/")) return undefined;
    return set.findWithin(resource, `#${encodeURI(toUpgradedPointer(resource.schema, pointer))}`);
  }

  #follow(
    each: Reference,
    given: SchemaLocation | "ambiguous" | "nowhere",
    resource: SchemaLocation,
    document: Loaded,
  ): true {
    const { location, keyword, reference } = each;
    const { set } = location;
    const found = given === "nowhere" ? (this.#findMoved(each, resource) ?? given) : given;
    if (found === "ambiguous") {
      const address = set.addressOf(location, reference, found);
      const fault = `${set.describe(location)}: "${keyword}" is ambiguous: ${address}`;
      this.#leaveOpen(each, address + stampOf(set.documents()), fault, true);
    } else if (found === "nowhere") this.#giveUp(each, false);
    else {
      const target = adopt(found, document);
      const isThere = set.tryToResolve(location, reference);
      if (typeof isThere !== "object" || isThere.schema !== target.schema) {
        const moved = found === given ? undefined : encodeURI(target.pointer);
        const fragment = moved ?? reference.replace(/^[^#]*#?/s, "");
        Object.assign(Object(location.schema), {
          [keyword]: `${moved === undefined ? resource.uri : target.uri}#${fragment}`,
        });
      }
      this.#visit(target, document);
    }
    return true;
  }

  /** A document elsewhere may be missing; a file beside, and a place in a document that is here, may not. */
  #giveUp(each: Reference, isElsewhere: boolean): void {
    const { location, keyword, reference } = each;
    const { set } = location;
    const fault = `${set.describe(location)}: "${keyword}" cannot be resolved: ${reference} (nothing is fetched: --schemas names the files that have it)`;
    // Where one with an anchor leads depends on what is around it.
    const how = keyword === "$dynamicRef" && /#[^/]/.test(reference) ? " ($dynamicRef)" : "";
    if (isElsewhere) this.#leaveOpen(each, set.addressOf(location, reference) + how);
    else this.#leaveOpen(each, `${reference}, which is missing`, fault);
  }

  #leaveOpen(
    { location, keyword }: Reference,
    text: string,
    fault?: string,
    isWithin = false,
  ): void {
    const { set } = location;
    const { uri } = set.hole(text);
    Object.assign(Object(location.schema), { [keyword]: uri });
    if (this.#unresolved.get(uri)?.fault !== undefined) return;
    this.#unresolved.set(uri, { from: set.describe(location), text, fault, isWithin });
  }

  /**
   * The document that a reference leads to, or why it cannot be read: the file there; the schema that is named so; a file
   * below a root; at last the file there although it has another `$id`.
   */
  #findDocument(each: Reference): Loaded | UserError | "ambiguous" | undefined {
    const { location, reference, document } = each;
    const target = pathOf(reference);
    const uri = toUri(target, location.set.baseOf(location));
    const { others, files } = this.#source;
    const { root, path } = document;
    const named = findNamed(others, uri, { from: path, dialect: this.#main.dialect });
    // Of versions with one `$id`, the list says which counts, not what lies where the address leads.
    const isListed = named !== undefined && named !== "ambiguous" && named.isListed === true;
    if (isListed && URL.canParse(target)) return this.#load(named.path ?? named.text, uri, named);
    const id = URL.canParse(root.uri) ? root.set.baseOf(root) : undefined;
    const candidates =
      files && path !== undefined && candidatesOf(target, { path, id }, files.roots);
    const near = candidates ? this.#readFirst(candidates.near, uri, files) : undefined;
    if (near instanceof UserError || (near && isMeant(near.schema, uri))) return near;
    if (named === "ambiguous") return named;
    if (named !== undefined) return this.#load(named.path ?? named.text, uri, named);
    const below = candidates ? this.#readFirst(candidates.below, uri, files) : undefined;
    if (below instanceof UserError || (below && isMeant(below.schema, uri))) return below;
    const file = URL.canParse(target) ? undefined : (near ?? below);
    const metaschema = file === undefined ? findMetaschema(uri) : undefined;
    return metaschema === undefined ? file : this.#load(uri, uri, { text: metaschema });
  }

  /** The file that is meant, which must be the only one for which the ending may be omitted; else the first that is there. */
  #readFirst(
    paths: readonly string[],
    uri: string,
    files: SchemaFiles,
  ): Loaded | UserError | undefined {
    let first: Loaded | undefined;
    for (const path of paths) {
      const found = this.#readFile(path, files);
      if (found instanceof UserError) return found;
      if (found && isMeant(found.schema, uri)) return this.#findTwin(found, paths, uri, files);
      first ??= found;
    }
    return first;
  }

  #findTwin(found: Loaded, paths: readonly string[], uri: string, files: SchemaFiles) {
    const { path = "" } = found;
    const other = path.replace(/\.schema\.json$/, ".json");
    const twin = other !== path && paths.includes(other) ? this.#readFile(other, files) : undefined;
    const isTwin = twin && !(twin instanceof UserError) && isMeant(twin.schema, uri);
    if (!isTwin || isSame(twin.schema, found.schema)) return found;
    return new UserError(`${path} and ${other}: a reference without its ending may mean either`);
  }

  #readFile(path: string, { read }: SchemaFiles): Loaded | UserError | undefined {
    const known = this.#documents.get(path);
    if (known !== undefined) return known;
    const text = read(path);
    return text === undefined ? undefined : this.#load(path, path, { path, text });
  }

  #load(key: string, uri: string, text: NamedText): Loaded | UserError {
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const loaded = this.#parse(uri, text);
    this.#documents.set(key, loaded);
    if (this.#documents.size <= MAX_DOCUMENTS) return loaded;
    const main = this.#main.root.set.describe(this.#main.root);
    throw new UserError(`${main}: refers to more than ${formatNumber(MAX_DOCUMENTS)} documents`);
  }

  #parse(uri: string, { path, text }: NamedText): Loaded | UserError {
    try {
      const name = path ?? uri;
      const parsed = parseSchema(name, text, {
        fallback: this.#main.dialect,
        faults: this.#main.faults,
        find: dialectFinder(this.#source, path),
      });
      const root = this.#main.root.set.add(parsed.schema, this.#toUri(name), name);
      return { ...parsed, root, path };
    } catch (error) {
      if (error instanceof UserError) return error;
      throw error;
    }
  }

  /** The same URI wherever the folder is, so that two versions in different folders can be equal. */
  #toUri(path: string): string {
    const parts = posix.relative(posix.dirname(this.#main.path ?? ""), path).split("/");
    const names = parts.map((part) => (part === ".." ? "_parent_" : encodeURIComponent(part)));
    return `schema:/${names.join("/")}`;
  }
}

/** A reference without its fragment. */
function pathOf(reference: string): string {
  return reference.replace(/#.*$/s, "");
}

/** Schemas inside of a keyword that the dialect does not know count from when a reference leads there. */
function adopt(location: SchemaLocation, { dialect, faults }: Loaded): SchemaLocation {
  const { set, schema, uri, pointer } = location;
  if (typeof schema === "boolean" || set.locate(schema) !== undefined) return location;
  const name = set.describe({ ...location, pointer: "" });
  const upgraded = settleFaults(schema, { name, at: pointer, dialect, faults });
  replaceAt(set.resolve(location, "#"), pointer, upgraded);
  return { set, uri, pointer, schema: upgraded };
}
