import type { SchemaNode } from "./schema-node.js";

/**
 * The same node with each direct subschema replaced. `path` is where the subschema stands: the
 * keyword, and the property's name below `properties`.
 */
export function mapSubschemas(
  node: SchemaNode,
  map: (subschema: SchemaNode, path: readonly string[]) => SchemaNode,
): SchemaNode {
  const { items, additionalProperties, properties, allOf, anyOf } = node;
  return {
    ...node,
    ...(items && { items: map(items, ["items"]) }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: map(additionalProperties, ["additionalProperties"]),
    }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, map(child, ["properties", name])]),
      ),
    }),
    ...(allOf && { allOf: allOf.map((member) => map(member, ["allOf"])) }),
    ...(anyOf && { anyOf: anyOf.map((member) => map(member, ["anyOf"])) }),
  };
}
