import { toPointerToken } from "../../src/records/resolve-pointer.js";
import type { Definition, Definitions } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";

/** One node of a definition. */
export interface Location {
  readonly definition: Definition;
  readonly node: SchemaNode;
  /** JSON Pointer of the node in the schema's file. */
  readonly pointer: string;
}

/** Every node of every definition, in the order of the files. */
export function locationsIn(definitions: Definitions): Location[] {
  return [...definitions.values()].flatMap((definition) => {
    const at = `/$defs/${toPointerToken(definition.name)}`;
    return nodesBelow(definition.node, at).map(([pointer, node]) => ({
      definition,
      node,
      pointer,
    }));
  });
}

function nodesBelow(node: SchemaNode, pointer: string): [string, SchemaNode][] {
  const { properties = {}, items, additionalProperties, allOf = [] } = node;
  const children: [string, SchemaNode | boolean | undefined][] = [
    ...allOf.map((member, index): [string, SchemaNode] => [`allOf/${index}`, member]),
    ...Object.entries(properties).map(([name, child]): [string, SchemaNode] => [
      `properties/${toPointerToken(name)}`,
      child,
    ]),
    ["items", items],
    ["additionalProperties", additionalProperties],
  ];
  return [
    [pointer, node],
    ...children.flatMap(([at, child]) =>
      typeof child === "object" ? nodesBelow(child, `${pointer}/${at}`) : [],
    ),
  ];
}
