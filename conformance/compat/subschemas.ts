import { isJsonObject, type JsonObject } from "../../src/records/json-object.js";
import { toPointerToken } from "../../src/records/resolve-pointer.js";
import { LIST_APPLICATORS, MAP_APPLICATORS, SINGLE_APPLICATORS } from "../schemas/applicators.js";

/** What may stand where JSON Schema wants a schema. */
export type Schema = boolean | JsonObject;

/** Whether a value may be a schema. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isJsonObject(value);
}

/** A schema in another one, with its JSON Pointer from there. */
export type Subschema = readonly [pointer: string, Schema];

const found = new WeakMap<object, readonly Subschema[]>();

/** The schemas that stand directly in `schema`. They are looked for once: a schema that was read does not change. */
export function subschemas(schema: Schema): readonly Subschema[] {
  if (typeof schema === "boolean") return [];
  const known = found.get(schema) ?? [...findSubschemas(schema)];
  found.set(schema, known);
  return known;
}

function* findSubschemas(schema: JsonObject): Generator<Subschema> {
  for (const keyword of SINGLE_APPLICATORS) {
    const child = schema[keyword];
    if (isSchema(child)) yield [`/${keyword}`, child];
  }
  for (const keyword of LIST_APPLICATORS) {
    const members: unknown = schema[keyword];
    if (!Array.isArray(members)) continue;
    for (const [index, child] of members.entries()) {
      if (isSchema(child)) yield [`/${keyword}/${index}`, child];
    }
  }
  for (const keyword of MAP_APPLICATORS) {
    const members = schema[keyword];
    if (!isJsonObject(members)) continue;
    for (const [name, child] of Object.entries(members)) {
      if (isSchema(child)) yield [`/${keyword}/${toPointerToken(name)}`, child];
    }
  }
}
