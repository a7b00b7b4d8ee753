import type { SchemaNode } from "../schemas/schema-node.js";
import { createAjv } from "./create-ajv.js";

/** Keywords of one node that a value fails, without those of its subschemas. */
export type FindFailedKeywords = (value: unknown) => readonly string[];

const ajv = createAjv();
const compiled = new Map<string, FindFailedKeywords>();

/**
 * Ajv's verdict on the keywords of one node. Many nodes say the same, so that the hundreds of
 * mutants of a schema need some dozens of compilations.
 */
export function compileKeywords(node: SchemaNode): FindFailedKeywords {
  const own = withoutSubschemas(node);
  const key = JSON.stringify(own);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const validate = ajv.compile(own);
  const findFailed: FindFailedKeywords = (value) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ keyword }) => keyword);
  compiled.set(key, findFailed);
  return findFailed;
}

/** The node with every subschema replaced by one that allows everything. */
function withoutSubschemas(node: SchemaNode): object {
  const { $ref, allOf, items, properties, additionalProperties, description, ...own } = node;
  if (additionalProperties !== false) return own;
  const names = Object.keys(properties ?? {}).map((name) => [name, true]);
  return { ...own, properties: Object.fromEntries(names), additionalProperties };
}
