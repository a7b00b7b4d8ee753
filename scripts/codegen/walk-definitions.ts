import type { SchemaNode } from "../../conformance/schemas/nodes.js";
import { type PlacedNode, walkNodes } from "../../conformance/schemas/nodes.js";

/** The definitions of a schema document with all that lies below them, placed from its root. */
export function* walkDefinitions({ $defs = {} }: SchemaNode): Generator<PlacedNode> {
  for (const [name, node] of Object.entries($defs)) yield* walkNodes(node, ["$defs", name]);
}
