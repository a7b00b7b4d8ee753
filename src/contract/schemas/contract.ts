import { toPointerToken } from "../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { toCanonicalText } from "./json-text.js";
import {
  DEFINITION_KEYWORDS,
  isAnnotation,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} from "./keywords.js";

/** Keywords that name the dialect of the document. */
const LANGUAGE = ["$schema", "$vocabulary"];

/** Keyword values that have no effect. */
const NO_OPS: Readonly<Record<string, unknown>> = {
  minItems: 0,
  minLength: 0,
  minProperties: 0,
  uniqueItems: false,
};

/** The context of a reduction. */
interface Scope {
  readonly id: unknown;
  /** JSON Pointers that references lead to or through: these parts stay in place. */
  readonly pins: ReadonlySet<string>;
}

/**
 * The contract of a draft 2020-12 schema: everything that affects verdicts, in canonical order. It omits annotations,
 * unused definitions, the document's own name, and keywords without effect. Schemas with the same contract give the
 * same verdict on every value. docs/hashes.md has the rules.
 *
 * A document with references other than JSON Pointers from the root is its own contract.
 */
export function toContract(document: unknown): unknown {
  if (!isJsonObject(document) || !refersPlainly(document)) return document;
  const published = publishedBy(document);
  let pins = published;
  for (;;) {
    const contract = reduce(document, "", { id: document.$id, pins });
    // Referenced parts may contain further references.
    const found = new Set([...published, ...pinnedBy(contract)]);
    if (found.size === pins.size) return withoutName(contract);
    pins = found;
  }
}

/** The definitions of a root without constraints: it is a collection, so all of them count as used. */
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
  // An empty schema is the same as `true`.
  return members ?? true;
}

/** The canonical value of a keyword; undefined if it affects no verdict. */
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
    // Duplicates matter in `oneOf` only: there, equal members exclude each other.
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

/** Maps the members of an object, without those that become undefined; undefined if none remain. */
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

/** Compares by UTF-16 code units. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Keywords that name or reference parts of a schema by other means than JSON Pointers. */
const NAMING: readonly string[] = ["$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef"];

const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** Absolute URIs with only one spelling, so that text comparison is enough. */
const PLAIN_URI =
  /^(https?:\/\/[a-z0-9.-]+(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*|urn(:[a-z0-9][a-z0-9._-]*)+)$/;

/** Every `$ref` in a JSON value, even where it may not be a keyword. */
export function* referencesIn(value: unknown): Generator<string> {
  for (const object of objectsIn(value)) {
    if (typeof object.$ref === "string") yield object.$ref;
  }
}

/**
 * Whether all references of a draft 2020-12 schema are plain JSON Pointers from its root, so that their text tells
 * which parts are used.
 */
function refersPlainly(document: object): boolean {
  for (const object of objectsIn(document)) {
    const { $id, $ref, $schema } = object;
    if (NAMING.some((keyword) => typeof object[keyword] === "string")) return false;
    if (typeof $id === "string" && object !== document) return false;
    if (typeof $schema === "string" && !DIALECT.test($schema)) return false;
    if (typeof $ref === "string" && $ref.includes("%")) return false;
  }
  return true;
}

/** Removes `id` from a reference of the document to itself; other references are unchanged. */
function toLocal(reference: string, id: unknown): string {
  if (typeof id !== "string") return reference;
  if (reference === id) return "#";
  return reference.startsWith(`${id}#`) ? reference.slice(id.length) : reference;
}

/**
 * Whether the name `id` of a document can be dropped: no reference is relative to it, or may be another spelling of it.
 */
function isNameless(id: string, references: Iterable<string>): boolean {
  if (!PLAIN_URI.test(id)) return false;
  for (const reference of references) {
    const [uri = ""] = reference.split("#", 1);
    if (!reference.startsWith("#") && (uri === id || !PLAIN_URI.test(uri))) return false;
  }
  return true;
}

/** The JSON Pointers to the targets of all references in a value, and to their parents. */
function pinnedBy(value: unknown): Set<string> {
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
