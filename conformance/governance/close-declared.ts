import { isJsonObject, type JsonObject } from "../../src/records/json-object.js";
import { pointerTokens } from "../../src/records/resolve-pointer.js";
import { type SchemaLocation, SchemaSet } from "../compat/schema-set.js";
import { type Schema, subschemas } from "../compat/subschemas.js";

/** Keywords below which other values stand than the one that the schema is of. */
const VALUES: ReadonlySet<string> = new Set([
  "additionalProperties",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
]);

/** Keywords that say something of the same value, and no more where their members say more. */
const IN_PLACE: ReadonlySet<string> = new Set(["allOf", "anyOf", "else", "then"]);

/**
 * A version of a schema as it is for those who write the properties that it declares and no others: every object
 * for which it declares some is closed, in a set of its own. Objects of which it says nothing stay open.
 */
export function closeDeclared(root: SchemaLocation): SchemaLocation {
  const set = new SchemaSet();
  let closed = root;
  for (const [uri, document] of root.set.documents()) {
    const isRoot = document === root.schema;
    const added = set.add(isRoot ? closeParts(document, root) : document, uri);
    if (isRoot) closed = added;
  }
  return closed;
}

/** A schema, by reference, whose values have the declared properties alone. */
export function closeEntry(entry: SchemaLocation): SchemaLocation {
  const reference = entry.pointer === "" ? entry.uri : `${entry.uri}#${encodeURI(entry.pointer)}`;
  const closed = declaresProperties(entry)
    ? { $ref: reference, unevaluatedProperties: false }
    : { $ref: reference };
  return entry.set.add(closed, `declared:/${encodeURIComponent(reference)}`);
}

function closeParts(schema: Schema, location: SchemaLocation): Schema {
  if (typeof schema === "boolean") return schema;
  const copy = { ...schema };
  for (const [pointer, child] of subschemas(schema)) {
    const [keyword = "", ...path] = pointerTokens(pointer);
    const isValue = VALUES.has(keyword);
    if (!isValue && !IN_PLACE.has(keyword) && keyword !== "$defs") continue;
    const at = { ...location, pointer: location.pointer + pointer, schema: child };
    const closed = closeParts(child, at);
    copy[keyword] = replace(copy[keyword], path, isValue ? closeValue(closed, at) : closed);
  }
  return copy;
}

function closeValue(schema: Schema, location: SchemaLocation): Schema {
  if (typeof schema === "boolean" || !declaresProperties(location)) return schema;
  const isSaid = "additionalProperties" in schema || "unevaluatedProperties" in schema;
  return isSaid ? schema : { ...schema, unevaluatedProperties: false };
}

/** Whether a schema names properties of its values, itself or by what it refers to. */
function declaresProperties(location: SchemaLocation, seen = new Set<Schema>()): boolean {
  const { schema, set } = location;
  if (typeof schema === "boolean" || seen.has(schema)) return false;
  seen.add(schema);
  if (isJsonObject(schema.properties)) return true;
  const { $ref } = schema;
  if (typeof $ref === "string" && declaresProperties(set.resolve(location, $ref), seen))
    return true;
  return [...subschemas(schema)].some(([pointer, child]) => {
    const [keyword = ""] = pointerTokens(pointer);
    return IN_PLACE.has(keyword) && declaresProperties({ ...location, schema: child }, seen);
  });
}

/** The same value with another at the end of `path`. */
function replace(value: unknown, path: readonly string[], by: Schema): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.with(Number(key), replace(value[Number(key)], rest, by));
  const object: JsonObject = isJsonObject(value) ? value : {};
  return { ...object, [key]: replace(object[key], rest, by) };
}
