/** Keywords of draft 2020-12 that speak to people and to tools, and change no verdict. */
export const ANNOTATIONS: readonly string[] = [
  "$comment",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
];

/** Says of a field what redaction may do to it; `scripts/codegen/redaction` knows its values. */
export const REDACT = "x-redact";

/** Whether a keyword is an annotation. Those that begin with `x-` are for the tools of their authors. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.includes(keyword) || keyword.startsWith("x-");
}

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

/** Keywords whose schemas are held against the value itself, not against a part of it (draft 2020-12, section 10.2). */
export const IN_PLACE_APPLICATORS: readonly string[] = [
  "allOf",
  "anyOf",
  "dependentSchemas",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
];

/** Keywords whose value is schemas by name that judge nothing until something refers to them. */
export const DEFINITION_KEYWORDS: readonly string[] = ["$defs", "definitions"];

/** Keywords whose value is schemas by name. */
export const MAP_APPLICATORS: readonly string[] = [
  ...DEFINITION_KEYWORDS,
  "dependentSchemas",
  "patternProperties",
  "properties",
];
