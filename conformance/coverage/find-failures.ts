import { toPointerToken } from "../../src/json/pointer.js";
import { isJsonObject } from "../../src/json/value.js";
import { type Definitions, definitionOf } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";
import { compileKeywords } from "./compile-keywords.js";

/** A node of a schema and what takes its place. */
export interface Swap {
  readonly node: SchemaNode;
  readonly mutant: SchemaNode;
}

/** Is told every pair of a node and a value that it judges, with the value's JSON Pointer. */
export type OnVisit = (node: SchemaNode, value: unknown, pointer: string) => void;

/** What a record is judged by: the definitions, and a mutation of one of their nodes. */
export interface SchemaUnderTest {
  readonly definitions: Definitions;
  readonly swap?: Swap | undefined;
}

/**
 * Visits every pair of a node and a value that it judges, for `value` under `node`. The keywords that
 * hold subschemas are followed here; all of them demand that every subschema holds, so that the
 * verdict on the whole is the sum of the verdicts on the visits.
 */
export function visitNodes(
  node: SchemaNode,
  value: unknown,
  under: SchemaUnderTest,
  onVisit: OnVisit,
  pointer = "",
): void {
  const { definitions, swap } = under;
  const current = swap?.node === node ? swap.mutant : node;
  onVisit(current, value, pointer);
  const { $ref, allOf = [], properties = {}, additionalProperties, items } = current;
  if ($ref !== undefined) {
    visitNodes(definitionOf($ref, definitions).node, value, under, onVisit, pointer);
  }
  for (const member of allOf) visitNodes(member, value, under, onVisit, pointer);
  if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const child = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (typeof child !== "object") continue;
      visitNodes(child, inner, under, onVisit, `${pointer}/${toPointerToken(name)}`);
    }
  }
  if (Array.isArray(value) && items !== undefined) {
    for (const [index, inner] of value.entries()) {
      visitNodes(items, inner, under, onVisit, `${pointer}/${index}`);
    }
  }
}

/** All failures of a record, each as `pointer keyword`. */
export function findFailures(
  node: SchemaNode,
  record: unknown,
  under: SchemaUnderTest,
): Set<string> {
  const failures = new Set<string>();
  visitNodes(node, record, under, (judge, value, pointer) => {
    for (const keyword of compileKeywords(judge)(value)) failures.add(`${pointer} ${keyword}`);
  });
  return failures;
}

/** Pointer and keyword of a failure. */
export function splitFailure(failure: string): [pointer: string, keyword: string] {
  // A keyword has no space; a pointer may.
  const space = failure.lastIndexOf(" ");
  return [failure.slice(0, space), failure.slice(space + 1)];
}
