import { toPointerToken } from "../../src/json/pointer.js";
import { mapSubschemas } from "./map-subschemas.js";
import type { SchemaNode } from "./schema-node.js";

/** A node of a schema, and where it stands in what was walked. */
export interface PlacedNode {
  readonly node: SchemaNode;
  /** Keywords, names and indices that lead to it, unescaped. */
  readonly path: readonly string[];
  /** The same as a JSON Pointer. */
  readonly pointer: string;
}

/** A node with all that lies below it, each before its parts; `path` leads to the node itself. */
export function* walkNodes(node: SchemaNode, path: readonly string[] = []): Generator<PlacedNode> {
  // The meta-schema allows `true` and `false` wherever it allows a schema.
  if (typeof node !== "object") return;
  yield { node, path, pointer: path.map((token) => `/${toPointerToken(token)}`).join("") };
  const parts: (readonly [SchemaNode, readonly string[]])[] = [];
  mapSubschemas(node, (part, at) => {
    parts.push([part, [...path, ...at]]);
    return part;
  });
  for (const [part, at] of parts) yield* walkNodes(part, at);
}
