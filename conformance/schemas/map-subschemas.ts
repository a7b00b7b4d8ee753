import type { SchemaNode } from "./schema-node.js";

/**
 * The same node with each direct subschema replaced. `path` is where the subschema stands: the
 * keyword, and below it the property's name or the member's index.
 */
export function mapSubschemas(
  node: SchemaNode,
  map: (subschema: SchemaNode, path: readonly string[]) => SchemaNode,
): SchemaNode {
  const { allOf, properties, items, additionalProperties, anyOf } = node;
  return {
    ...node,
    ...(allOf && { allOf: allOf.map((member, at) => map(member, ["allOf", `${at}`])) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, map(child, ["properties", name])]),
      ),
    }),
    ...(items && { items: map(items, ["items"]) }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: map(additionalProperties, ["additionalProperties"]),
    }),
    ...(anyOf && { anyOf: anyOf.map((member, at) => map(member, ["anyOf", `${at}`])) }),
  };
}
