import { isJsonObject } from "../../src/records/json-object.js";
import { toPointerToken } from "../../src/records/resolve-pointer.js";
import { type Definitions, definitionOf } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";
import { compileKeywords } from "./compile-keywords.js";

/** A node of a schema and what takes its place. */
export interface Swap {
  readonly node: SchemaNode;
  readonly mutant: SchemaNode;
}

/** A value that a node judges. */
export interface Visit {
  readonly node: SchemaNode;
  readonly value: unknown;
  /** Tokens from the record to the value. */
  readonly path: readonly string[];
}

/**
 * Every pair of a node and a value that it judges, for `value` under `node`. The keywords that hold
 * subschemas are followed here; all of them demand that every subschema holds, so that the verdict
 * on the whole is the sum of the verdicts on the visits.
 */
export function* visitsOf(
  node: SchemaNode,
  value: unknown,
  definitions: Definitions,
  swap?: Swap,
  path: readonly string[] = [],
): Generator<Visit> {
  const current = swap?.node === node ? swap.mutant : node;
  // The visit names the node that the schema has at this place.
  yield { node: current, value, path };
  const follow = (child: SchemaNode, inner: unknown, token?: string): Generator<Visit> =>
    visitsOf(child, inner, definitions, swap, token === undefined ? path : [...path, token]);
  const { $ref, allOf = [], properties = {}, additionalProperties, items } = current;
  if ($ref !== undefined) yield* follow(definitionOf($ref, definitions).node, value);
  for (const member of allOf) yield* follow(member, value);
  if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const child = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (typeof child === "object") yield* follow(child, inner, name);
    }
  }
  if (Array.isArray(value) && items !== undefined) {
    for (const [index, inner] of value.entries()) yield* follow(items, inner, String(index));
  }
}

/** All failures of a record, each as `pointer keyword`. */
export function findFailures(
  node: SchemaNode,
  record: unknown,
  definitions: Definitions,
  swap?: Swap,
): Set<string> {
  const failures = new Set<string>();
  for (const { node: judge, value, path } of visitsOf(node, record, definitions, swap)) {
    for (const keyword of compileKeywords(judge)(value)) {
      failures.add(`${path.map((token) => `/${toPointerToken(token)}`).join("")} ${keyword}`);
    }
  }
  return failures;
}
