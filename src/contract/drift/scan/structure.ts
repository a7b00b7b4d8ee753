import { resolvePointer } from "../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { KEYWORDS, type Likeness } from "./likeness.js";

/** Names and types of the properties in a schema, for comparing schemas regardless of their names. */
export interface Structure {
  /** Of all objects together. */
  readonly whole: ReadonlySet<string>;
  /** Of each object with many properties, by name; "" for the document itself. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Objects with fewer properties resemble too many others. */
const MIN_PROPERTIES = 5;

/** The structure of a JSON document that may be, or contain, a schema of any dialect. */
export function structureOf(document: unknown): Structure {
  const whole = new Set<string>();
  const parts = new Map<string, ReadonlySet<string>>();
  const waiting: [name: string, value: unknown][] = [["", document]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, value] = next;
    // One by one: an array of data may have more elements than a call can have arguments.
    if (Array.isArray(value)) for (const each of value) waiting.push([name, each]);
    if (!isJsonObject(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      waiting.push([KEYWORDS.has(key) ? name : key, inner]);
    }
    const features = featuresOf(value);
    for (const feature of features) whole.add(feature);
    if (features.size >= 2 * MIN_PROPERTIES) parts.set(name, features);
  }
  return { whole, parts };
}

/**
 * The features of an object in a document, with those of what it refers to within the document: for each property its
 * name, and its name with its type.
 */
export function featuresAt(document: unknown, pointer: string): ReadonlySet<string> {
  const features = new Set<string>();
  const waiting = [resolvePointer(document, pointer)];
  const seen = new Set<unknown>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isJsonObject(next) || seen.has(next)) continue;
    seen.add(next);
    for (const feature of featuresOf(next)) features.add(feature);
    const { allOf, $ref } = next;
    if (Array.isArray(allOf)) waiting.push(...allOf);
    if (typeof $ref === "string" && $ref.startsWith("#/"))
      waiting.push(resolvePointer(document, $ref.slice(1)));
  }
  return features;
}

/**
 * The similarity of a document and a schema: the Jaccard index of their features, and that of their most similar
 * objects.
 */
export function compareStructures(found: Structure, schema: Structure): Likeness {
  let closest: Likeness["part"];
  for (const [at, part] of found.parts) {
    for (const [name, counterpart] of schema.parts) {
      const similarity = jaccard(part, counterpart);
      if (similarity > (closest?.similarity ?? 0)) closest = { at, name, similarity };
    }
  }
  return { whole: jaccard(found.whole, schema.whole), part: closest };
}

function featuresOf({ properties }: JsonObject): ReadonlySet<string> {
  if (!isJsonObject(properties)) return new Set();
  return new Set(
    Object.entries(properties).flatMap(([name, schema]) => [name, `${name} ${kindOf(schema)}`]),
  );
}

function kindOf(schema: unknown): string {
  if (!isJsonObject(schema)) return String(schema);
  const { type, enum: values, const: value, $ref: reference } = schema;
  if (typeof reference === "string") return reference.split("/").at(-1) ?? "";
  if (type !== undefined) return JSON.stringify(type);
  return JSON.stringify(value ?? values ?? "any");
}

/** The share of features that two sets have in common, from 0 to 1. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const feature of small) if (large.has(feature)) common += 1;
  return common / (one.size + other.size - common);
}
