import type { Definitions } from "../../../schemas/link-definitions.js";
import type { SchemaNode } from "../../../schemas/schema-node.js";
import { createSample } from "../../create-sample.js";

/** An array of `length` items: cut off, or its last item repeated. */
export function resizeArray(
  valid: unknown,
  length: number,
  { items = {} }: SchemaNode,
  definitions: Definitions,
): unknown[] {
  const values: unknown[] = Array.isArray(valid) ? valid.slice(0, length) : [];
  const filler = values.at(-1) ?? createSample(items, definitions);
  return [...values, ...Array(length - values.length).fill(filler)];
}
