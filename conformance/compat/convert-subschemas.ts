import { isJsonObject, type JsonObject } from "../../src/records/json-object.js";
import { childOf, type SchemaLocation } from "./schema-set.js";
import { type Schema, subschemas } from "./subschemas.js";

/**
 * The schema at a location with what `convert` makes of those that stand directly in it. Keywords that `isLeftOut` are
 * not in it, nor are the schemas below them converted.
 */
export function convertSubschemas(
  location: SchemaLocation & { readonly schema: JsonObject },
  isLeftOut: (keyword: string) => boolean,
  convert: (child: SchemaLocation, keyword: string) => Schema,
): Record<string, unknown> {
  const { schema, set } = location;
  const converted: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!isLeftOut(keyword)) converted[keyword] = copy(value);
  }
  for (const [pointer, child, keyword, name] of subschemas(schema)) {
    if (!Object.hasOwn(converted, keyword)) continue;
    const known = typeof child === "object" ? set.locate(child) : undefined;
    const schema = convert(known ?? childOf(location, pointer), keyword);
    if (name === undefined) converted[keyword] = schema;
    else Object.assign(Object(converted[keyword]), { [name]: schema });
  }
  return converted;
}

/** Of a list or a map of schemas, whose members are then replaced. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  return isJsonObject(value) ? { ...value } : value;
}
