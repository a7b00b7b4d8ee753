/** Keywords of draft 2020-12 whose value is a schema. */
export const SINGLE_APPLICATORS: readonly string[] = [
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];

/** Keywords whose value is a list of schemas. */
export const LIST_APPLICATORS: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/** Keywords whose value is schemas by name that judge nothing until something refers to them. */
export const DEFINITION_KEYWORDS: readonly string[] = ["$defs", "definitions"];

/** Keywords whose value is schemas by name. */
export const MAP_APPLICATORS: readonly string[] = [
  ...DEFINITION_KEYWORDS,
  "dependentSchemas",
  "patternProperties",
  "properties",
];
