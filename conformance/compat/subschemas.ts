import { toPointerToken } from "../../src/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../src/json/value.js";
import { LIST_APPLICATORS, MAP_APPLICATORS, SINGLE_APPLICATORS } from "../schemas/applicators.js";

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
