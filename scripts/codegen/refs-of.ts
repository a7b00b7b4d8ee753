import type { SchemaNode } from "../../conformance/schemas/schema-node.js";
import { walkNodes } from "../../conformance/schemas/walk-nodes.js";

/** Names of the definitions that a linked node refers to, anywhere in it. */
export function refsOf(root: SchemaNode): string[] {
  return [...walkNodes(root)].flatMap(({ node }) => node.$ref ?? []);
}
