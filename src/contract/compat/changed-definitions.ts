import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { canonicalHash } from "../schemas/hashes.js";

/** A definition that differs between two versions of a schema. */
export interface ChangedDefinition {
  readonly name: string;
  readonly kind: "added" | "changed" | "removed";
  /** The changes, as a changelog names them: `Type.property`, or `Type` for the definition itself. */
  readonly parts: readonly string[];
}

/** The definitions that differ between two versions, by name; all of `after` if there was no version before. */
export function listChangedDefinitions(
  before: JsonObject | undefined,
  after: JsonObject,
): ChangedDefinition[] {
  const [olds, news] = [definitionsOf(before), definitionsOf(after)];
  const [oldEntries, newEntries] = [entriesOf(before), entriesOf(after)];
  return namesOf(olds, news).flatMap((name): ChangedDefinition[] => {
    if (!Object.hasOwn(olds, name)) return [{ name, kind: "added", parts: [name] }];
    if (!Object.hasOwn(news, name)) return [{ name, kind: "removed", parts: [name] }];
    const parts = listChangedParts(name, olds[name], news[name]);
    const isMoved = oldEntries.has(name) !== newEntries.has(name);
    const all = isMoved ? [name, ...parts] : parts;
    return all.length === 0 ? [] : [{ name, kind: "changed", parts: [...new Set(all)] }];
  });
}

function definitionsOf(document: JsonObject | undefined): JsonObject {
  return { ...objectAt(document, "definitions"), ...objectAt(document, "$defs") };
}

/** Names of the definitions that are record types. */
function entriesOf(document: JsonObject | undefined): ReadonlySet<string> {
  const members: unknown = document?.anyOf;
  const refs = Array.isArray(members) ? members.filter(isJsonObject).map(({ $ref }) => $ref) : [];
  return new Set(refs.map((ref) => String(ref).replace(/^#\/(\$defs|definitions)\//, "")));
}

function listChangedParts(name: string, before: unknown, after: unknown): string[] {
  if (isSame(before, after)) return [];
  if (!isJsonObject(before) || !isJsonObject(after)) return [name];
  const { properties: _old, required: oldRequired, ...oldRest } = before;
  const { properties: _new, required: newRequired, ...newRest } = after;
  const [olds, news] = [objectAt(before, "properties"), objectAt(after, "properties")];
  const changed = namesOf(olds, news).filter(
    (property) => !isSame(ownAt(olds, property), ownAt(news, property)),
  );
  const moved = difference(textsOf(oldRequired), textsOf(newRequired));
  const properties = [...new Set([...changed, ...moved])].map((property) => `${name}.${property}`);
  // A different order, or a change of other keywords, counts as a change of the definition itself.
  return properties.length === 0 || !isSame(oldRest, newRest) ? [name, ...properties] : properties;
}

/** The elements that only one of two lists has. */
function difference(one: readonly string[], other: readonly string[]): string[] {
  const isIn = (texts: readonly string[]) => (text: string) => texts.includes(text);
  return [...one.filter((text) => !isIn(other)(text)), ...other.filter((text) => !isIn(one)(text))];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function namesOf(...objects: readonly JsonObject[]): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object)))];
}

/** A property may have the name of a method, such as `toString`. */
function ownAt(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function objectAt(object: JsonObject | undefined, key: string): JsonObject {
  const value = object?.[key];
  return isJsonObject(value) ? value : {};
}

function isSame(one: unknown, other: unknown): boolean {
  return one === undefined || other === undefined
    ? one === other
    : canonicalHash(one) === canonicalHash(other);
}
