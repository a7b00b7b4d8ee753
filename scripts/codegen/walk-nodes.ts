import { toPointerToken } from "../../src/records/resolve-pointer.js";
import type { SchemaNode } from "./schema-node.js";

/** A location of a schema document below its root. */
export interface NodeLocation {
  readonly node: SchemaNode;
  /** JSON Pointer into the document. */
  readonly pointer: string;
  /** The pointer's tokens, unescaped. */
  readonly path: readonly string[];
}

/** The definitions of a document with all that lies below them, each definition before its parts. */
export function* walkNodes({ $defs = {} }: SchemaNode): Generator<NodeLocation> {
  for (const [name, node] of Object.entries($defs)) yield* walk(node, ["$defs", name]);
}

function* walk(node: SchemaNode, path: readonly string[]): Generator<NodeLocation> {
  // The meta-schema allows `true` and `false` wherever it allows a schema.
  if (typeof node !== "object") return;
  yield { node, path, pointer: path.map((token) => `/${toPointerToken(token)}`).join("") };
  const { properties = {}, items, additionalProperties, allOf = [], anyOf = [] } = node;
  for (const [name, child] of Object.entries(properties)) {
    yield* walk(child, [...path, "properties", name]);
  }
  if (items !== undefined) yield* walk(items, [...path, "items"]);
  if (additionalProperties !== undefined && typeof additionalProperties === "object") {
    yield* walk(additionalProperties, [...path, "additionalProperties"]);
  }
  for (const [index, child] of allOf.entries()) yield* walk(child, [...path, "allOf", `${index}`]);
  for (const [index, child] of anyOf.entries()) yield* walk(child, [...path, "anyOf", `${index}`]);
}
