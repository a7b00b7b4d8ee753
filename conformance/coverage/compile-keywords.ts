import type { SchemaNode } from "../schemas/schema-node.js";
import { createAjv } from "./create-ajv.js";

/** Keywords of one node that a value fails, without those of its subschemas. */
export type FindFailedKeywords = (value: unknown) => readonly string[];

const ajv = createAjv();
/** By what the node says: many nodes say the same. */
const compiled = new Map<string, FindFailedKeywords>();
/** By the node, of which no key needs to be printed again. */
const known = new WeakMap<SchemaNode, FindFailedKeywords>();

/**
 * Ajv's verdict on the keywords of one node. Nodes that say the same are compiled once, so that the
 * mutants of a schema need far fewer compilations than there are mutants.
 */
export function compileKeywords(node: SchemaNode): FindFailedKeywords {
  const findFailed = known.get(node) ?? compile(node);
  known.set(node, findFailed);
  return findFailed;
}

function compile(node: SchemaNode): FindFailedKeywords {
  const own = withoutSubschemas(node);
  const key = JSON.stringify(own);
  const same = compiled.get(key);
  if (same !== undefined) return same;
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
