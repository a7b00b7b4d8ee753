import type { SchemaNode } from "../../conformance/schemas/nodes.js";
import { walkNodes } from "../../conformance/schemas/nodes.js";

/** Names of the definitions that a linked node refers to, anywhere in it. */
export function refsOf(root: SchemaNode): string[] {
  return [...walkNodes(root)].flatMap(({ node }) => node.$ref ?? []);
}
