/** How much something has in common with a schema, from 0 to 1. */
export interface Likeness {
  /** With all of the schema. */
  readonly whole: number;
  /** With the one object of the schema of which it has most; undefined when it has nothing of any. */
  readonly part:
    | {
        /** Name of the object in what was found; "" when that is nothing else. */
        readonly at: string;
        /** Name of the object in the schema. */
        readonly name: string;
        readonly similarity: number;
      }
    | undefined;
}

/** The one number by which likenesses are ranked. */
export function mostOf({ whole, part }: Likeness): number {
  return Math.max(whole, part?.similarity ?? 0);
}

/** Keys of JSON Schema and OpenAPI below which stand schemas: they name nothing that a schema speaks of. */
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
