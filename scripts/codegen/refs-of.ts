import type { SchemaNode } from "./schema-node.js";

/** Names of the definitions that a linked node refers to, anywhere in it. */
export function refsOf(node: SchemaNode): string[] {
  if (typeof node !== "object") return [];
  const { $ref, items, additionalProperties, properties, allOf } = node;
  const children = [
    ...Object.values(properties ?? {}),
    ...(allOf ?? []),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  return [...($ref === undefined ? [] : [$ref]), ...children.flatMap(refsOf)];
}
