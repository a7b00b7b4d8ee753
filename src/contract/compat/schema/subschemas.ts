import { isDeepStrictEqual } from "node:util";
import { resolvePointer, toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { LIST_APPLICATORS, MAP_APPLICATORS, SINGLE_APPLICATORS } from "../../schemas/keywords.js";
import { haveSameNumbers } from "./exact-numbers.js";

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
const byPointer = new WeakMap<object, ReadonlyMap<string, Schema>>();

/** The direct subschemas of `schema`. Cached, because a loaded schema does not change. */
export function subschemas(schema: Schema): readonly Subschema[] {
  if (typeof schema === "boolean") return [];
  const known = found.get(schema) ?? [...findSubschemas(schema)];
  found.set(schema, known);
  return known;
}

/** What is at a pointer below a schema; undefined if there is nothing. That of a direct subschema is not parsed. */
export function valueAt(schema: Schema, pointer: string): unknown {
  if (typeof schema === "boolean") return undefined;
  const known =
    byPointer.get(schema) ?? new Map(subschemas(schema).map(([at, child]) => [at, child]));
  byPointer.set(schema, known);
  return known.get(pointer) ?? resolvePointer(schema, pointer);
}

/** The direct subschemas of a schema that may still change: not cached. */
export function* findSubschemas(schema: JsonObject): Generator<Subschema> {
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

/** Whether two schemas are literally equal. */
export function isSame(one: Schema, other: Schema): boolean {
  return isDeepStrictEqual(one, other) && haveSameNumbers(one, other);
}

/** Forgets the direct subschemas of a schema that has changed. */
export function forgetSubschemas(schema: Schema): void {
  found.delete(Object(schema));
  byPointer.delete(Object(schema));
}
