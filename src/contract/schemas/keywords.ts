/** Keywords of draft 2020-12 for people and tools, which affect no verdict. */
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

/** Says how redaction treats a field; `src/contract/codegen/targets/typescript-redaction.ts` explains its values. */
export const REDACT = "x-redact";

/** Whether a keyword is an annotation, as are all that start with `x-`. */
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

/** Keywords whose schemas apply to the value itself, not to a part of it (draft 2020-12, section 10.2). */
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

/** Keywords whose value maps names to schemas that apply only where something refers to them. */
export const DEFINITION_KEYWORDS: readonly string[] = ["$defs", "definitions"];

/** Keywords whose value maps names to schemas. */
export const MAP_APPLICATORS: readonly string[] = [
  ...DEFINITION_KEYWORDS,
  "dependentSchemas",
  "patternProperties",
  "properties",
];
