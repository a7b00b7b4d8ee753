import { toPointerToken } from "../json/pointer.js";
import { isJsonObject, type JsonObject } from "../json/value.js";
import { toCanonicalText } from "./json-text.js";
import {
  DEFINITION_KEYWORDS,
  isAnnotation,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} from "./keywords.js";

/** Keywords that say in which language the document is written. */
const LANGUAGE = ["$schema", "$vocabulary"];

/** Values of keywords that allow everything. */
const NO_OPS: Readonly<Record<string, unknown>> = {
  minItems: 0,
  minLength: 0,
  minProperties: 0,
  uniqueItems: false,
};

/** What the reduction of a document goes by. */
interface Scope {
  readonly id: unknown;
  /** JSON Pointers to all that references lead to or through: it stays, and where it is. */
  readonly pins: ReadonlySet<string>;
}

/**
 * What verdicts depend on in a schema of draft 2020-12, in one order: without annotations, definitions that
 * nothing refers to, the document's own name, and what allows everything. Two schemas of one contract give the
 * same verdict on every value; the rules are those of docs/hashes.md.
 *
 * A document that names its parts otherwise than by JSON Pointers from the root is its own contract.
 */
export function toContract(document: unknown): unknown {
  if (!isJsonObject(document) || !refersPlainly(document)) return document;
  const published = publishedBy(document);
  let pins = published;
  for (;;) {
    const contract = reduce(document, "", { id: document.$id, pins });
    // What is in use may use more.
    const found = new Set([...published, ...pinnedBy(contract)]);
    if (found.size === pins.size) return withoutName(contract);
    pins = found;
  }
}

/** A root that says nothing itself is a collection: each of its definitions is there to be referred to. */
function publishedBy(document: JsonObject): Set<string> {
  const isCollection = Object.keys(document).every(
    (key) => isSilent(key) || key === "$id" || DEFINITION_KEYWORDS.includes(key),
  );
  if (!isCollection) return new Set();
  return new Set(
    DEFINITION_KEYWORDS.flatMap((keyword) =>
      Object.keys(document[keyword] ?? {}).map((name) => `/${keyword}/${toPointerToken(name)}`),
    ),
  );
}

function withoutName(contract: unknown): unknown {
  if (!isJsonObject(contract)) return contract;
  const { $id, ...rest } = contract;
  if (typeof $id !== "string" || !isNameless($id, referencesIn(rest))) return contract;
  return Object.keys(rest).length === 0 ? true : rest;
}

function reduce(schema: unknown, pointer: string, scope: Scope): unknown {
  if (!isJsonObject(schema)) return schema;
  const members = mapMembers(schema, pointer, (value, at, keyword) =>
    reduceKeyword(keyword, value, at, scope),
  );
  // An empty schema and `true` allow the same: everything.
  return members ?? true;
}

/** The value of a keyword in its one form; undefined for one that changes no verdict. */
function reduceKeyword(keyword: string, value: unknown, at: string, scope: Scope): unknown {
  if (isSilent(keyword)) return scope.pins.has(at) ? value : undefined;
  if (Object.hasOwn(NO_OPS, keyword) && NO_OPS[keyword] === value) return undefined;
  if (keyword === "$ref" && typeof value === "string") return toLocal(value, scope.id);
  if (SINGLE_APPLICATORS.includes(keyword)) return reduce(value, at, scope);
  if (Array.isArray(value)) return reduceList(keyword, value, at, scope);
  if (!isJsonObject(value)) return value;
  if (keyword === "dependentRequired") return mapMembers(value, at, toSet);
  if (!MAP_APPLICATORS.includes(keyword)) return value;
  const isDefinitions = DEFINITION_KEYWORDS.includes(keyword);
  return mapMembers(value, at, (child, place) =>
    isDefinitions && !scope.pins.has(place) ? undefined : reduce(child, place, scope),
  );
}

function reduceList(keyword: string, list: readonly unknown[], at: string, scope: Scope): unknown {
  if (LIST_APPLICATORS.includes(keyword)) {
    const members = list.map((member, index) => reduce(member, `${at}/${index}`, scope));
    if (keyword === "prefixItems" || scope.pins.has(at)) return members;
    // Two equal members of `oneOf` are never right; of the others, one says what both say.
    return keyword === "oneOf" ? toSorted(members) : toSet(members);
  }
  if (scope.pins.has(at)) return list;
  if (keyword === "required") return list.length === 0 ? undefined : toSet(list);
  if (keyword === "enum") return toSet(list);
  if (keyword === "type") return list.length === 1 ? list[0] : toSet(list);
  return list;
}

function isSilent(keyword: string): boolean {
  return isAnnotation(keyword) || LANGUAGE.includes(keyword);
}

/** The same object with each member replaced, or left out; undefined when none is left. */
function mapMembers(
  object: JsonObject,
  pointer: string,
  map: (value: unknown, at: string, name: string) => unknown,
): JsonObject | undefined {
  const members = Object.entries(object)
    .map(([name, value]) => [name, map(value, `${pointer}/${toPointerToken(name)}`, name)] as const)
    .filter(([, value]) => value !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function toSet(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const texts = new Map(list.map((member): [string, unknown] => [toCanonicalText(member), member]));
  return toSorted([...texts.values()]);
}

function toSorted(list: readonly unknown[]): unknown[] {
  const texts = list.map((member): [string, unknown] => [toCanonicalText(member), member]);
  return texts.sort(([one], [other]) => compare(one, other)).map(([, member]) => member);
}

/** By UTF-16 code units. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Keywords that name a part of a schema, or lead to one, otherwise than by a JSON Pointer. */
const NAMING: readonly string[] = ["$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef"];

const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** An absolute URI of which there is one spelling, so that two are the same or are not. */
const PLAIN_URI = /^https?:\/\/[a-z0-9.-]+(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Every `$ref` of a JSON value, also where it may be none. */
export function* referencesIn(value: unknown): Generator<string> {
  for (const object of objectsIn(value)) {
    if (typeof object.$ref === "string") yield object.$ref;
  }
}

/**
 * Whether a schema refers to its parts by plain JSON Pointers from its root alone, in draft 2020-12: then
 * the text of its references says what is in use.
 */
export function refersPlainly(document: object): boolean {
  for (const object of objectsIn(document)) {
    const { $id, $ref, $schema } = object;
    if (NAMING.some((keyword) => typeof object[keyword] === "string")) return false;
    if (typeof $id === "string" && object !== document) return false;
    if (typeof $schema === "string" && !DIALECT.test($schema)) return false;
    if (typeof $ref === "string" && $ref.includes("%")) return false;
  }
  return true;
}

/** A reference of the document `id` to itself without the `id`; any other as it is. */
export function toLocal(reference: string, id: unknown): string {
  if (typeof id !== "string") return reference;
  if (reference === id) return "#";
  return reference.startsWith(`${id}#`) ? reference.slice(id.length) : reference;
}

/**
 * Whether the document `id` says the same under any other name: no reference counts from the name, and
 * none may be to it in another spelling.
 */
export function isNameless(id: string, references: Iterable<string>): boolean {
  if (!PLAIN_URI.test(id)) return false;
  for (const reference of references) {
    const [uri = ""] = reference.split("#", 1);
    if (!reference.startsWith("#") && (uri === id || !PLAIN_URI.test(uri))) return false;
  }
  return true;
}

/** The JSON Pointers to what the references of a value lead to, and to all that holds it. */
export function pinnedBy(value: unknown): Set<string> {
  const pins = new Set<string>();
  for (const reference of referencesIn(value)) {
    const tokens = (reference.split("#")[1] ?? "").split("/");
    for (let length = 2; length <= tokens.length; length += 1) {
      pins.add(tokens.slice(0, length).join("/"));
    }
  }
  return pins;
}

function* objectsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (isJsonObject(value)) yield value;
  if (typeof value !== "object" || value === null) return;
  for (const child of Object.values(value)) yield* objectsIn(child);
}
