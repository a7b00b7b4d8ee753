import { type Definitions, definitionOf } from "../../conformance/schemas/definitions.js";
import type { SchemaNode } from "../../conformance/schemas/nodes.js";

/**
 * The same object type without `allOf`: the properties of its bases first, then its own. Types are
 * printed from this; validators from the document itself. The profile sees to it that the flat type
 * says the same.
 */
export function flattenAllOf(node: SchemaNode, definitions: Definitions): SchemaNode {
  if (node.allOf === undefined) return node;
  const { allOf, ...own } = node;
  const bases = allOf.map(({ $ref }) =>
    flattenAllOf(definitionOf($ref ?? "", definitions).node, definitions),
  );
  const parts = [...bases, own];
  return {
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...new Set(parts.flatMap(({ required }) => required ?? []))],
  };
}
