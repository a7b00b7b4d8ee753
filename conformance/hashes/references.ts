import { isJsonObject } from "../../src/json/value.js";

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
