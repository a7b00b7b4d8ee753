/** Similarity to a schema, from 0 to 1. */
export interface Likeness {
  /** Similarity to the whole schema. */
  readonly whole: number;
  /** Similarity to the best-matching object of the schema; undefined if none matches. */
  readonly part:
    | {
        /** The name of the object in the scanned document; "" for the document itself. */
        readonly at: string;
        /** The name of the object in the schema. */
        readonly name: string;
        readonly similarity: number;
      }
    | undefined;
}

/** The value by which likenesses are ranked. */
export function maxSimilarity({ whole, part }: Likeness): number {
  return Math.max(whole, part?.similarity ?? 0);
}

/** Keys of JSON Schema and OpenAPI that contain schemas. They are not names of properties or definitions. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  "$defs",
  "additionalProperties",
  "allOf",
  "anyOf",
  "components",
  "contains",
  "definitions",
  "dependentSchemas",
  "else",
  "if",
  "items",
  "not",
  "oneOf",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "schema",
  "schemas",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
