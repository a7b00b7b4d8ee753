import { isJsonObject } from "../../src/json/value.js";
import { childOf, type SchemaLocation } from "./schema-set.js";
import { type Schema, subschemas } from "./subschemas.js";

/**
 * What an object at a location says, with what `convert` makes of the schemas that stand directly in it. Keywords for
 * which `isDropped` are not in it, and the schemas in them not converted.
 */
export function convertSubschemas(
  location: SchemaLocation,
  isDropped: (keyword: string) => boolean,
  convert: (keyword: string, child: SchemaLocation) => Schema,
): { [keyword: string]: unknown } {
  const { schema, set } = location;
  const kept = Object.entries(schema).filter(([keyword]) => !isDropped(keyword));
  // An own property, whatever it is called.
  const converted = Object.fromEntries(kept.map(([keyword, value]) => [keyword, copy(value)]));
  for (const [pointer, child, keyword, name] of subschemas(schema)) {
    if (!Object.hasOwn(converted, keyword)) continue;
    const known = typeof child === "object" ? set.locate(child) : undefined;
    const result = convert(keyword, known ?? childOf(location, pointer));
    if (name === undefined) converted[keyword] = result;
    else Object.assign(Object(converted[keyword]), { [name]: result });
  }
  return converted;
}

/** Of a list or a map of schemas, whose members are then replaced. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  return isJsonObject(value) ? { ...value } : value;
}
