import { requiresEmptyName } from "./compile-schema.js";
import { isAnnotation } from "./satisfiability/annotations.js";
import type { SchemaLocation, SchemaSet } from "./schema-set.js";

/** Keywords that Ajv compiles the same whatever stands around them, beside annotations. */
const COMPOSABLE: ReadonlySet<string> = new Set([
  "$ref",
  "additionalProperties",
  "allOf",
  "anyOf",
  "const",
  "dependentRequired",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "not",
  "oneOf",
  "pattern",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "required",
  "type",
  "unevaluatedProperties",
  "uniqueItems",
]);

/** Keywords that give a schema another name, by which what stands around it matters. */
const NAMING: ReadonlySet<string> = new Set(["$anchor", "$dynamicAnchor", "$id", "$vocabulary"]);

/**
 * Whether Ajv says of values, when the schemas of a set are compiled one by one, what it says when they are compiled
 * as they stand. Of `contains`, `if`, `dependentSchemas` and `unevaluatedItems` it does not: what it keeps of one
 * place reaches others. Nor of what it alone knows, and of what it refuses.
 */
export function isPartible(set: SchemaSet): boolean {
  const documents = new Set([...set.documents()].map(([, schema]) => schema));
  return [...set.locations()].every((location) =>
    isComposable(location, documents.has(location.schema)),
  );
}

function isComposable({ schema }: SchemaLocation, isDocument: boolean): boolean {
  if (typeof schema === "boolean") return true;
  const areKnown = Object.keys(schema).every((keyword) => {
    if (NAMING.has(keyword)) return keyword === "$id" && isDocument;
    return COMPOSABLE.has(keyword) || isAnnotation(keyword);
  });
  // Ajv refuses an `enum` of nothing.
  const isEmpty = Array.isArray(schema.enum) && schema.enum.length === 0;
  return areKnown && !isEmpty && !requiresEmptyName(schema);
}
