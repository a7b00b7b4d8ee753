import { type Definitions, definitionOf } from "./link-definitions.js";
import type { SchemaNode } from "./schema-node.js";

/** What an object type says of its fields. */
export interface Declared {
  readonly properties: Readonly<Record<string, SchemaNode>>;
  readonly required: readonly string[];
}

/** What `node` and everything that it refers to by `$ref` and `allOf` say of its fields. */
export function declaredIn(node: SchemaNode, definitions: Definitions): Declared {
  return merge([node, ...basesOf(node, definitions)]);
}

/** The same without what the node says itself. */
export function inheritedBy(node: SchemaNode, definitions: Definitions): Declared {
  return merge(basesOf(node, definitions));
}

/** Of several nodes that speak of one field, the nearest counts. `nodes`: the nearest first. */
function merge(nodes: readonly SchemaNode[]): Declared {
  const farFirst = nodes.toReversed();
  return {
    properties: Object.assign({}, ...farFirst.map(({ properties }) => properties)),
    required: [...new Set(farFirst.flatMap(({ required = [] }) => required))],
  };
}

/** The nodes that judge the same value because `node` refers to them, each before those that it refers to. */
export function basesOf(node: SchemaNode, definitions: Definitions): SchemaNode[] {
  const { $ref, allOf = [] } = node;
  const bases = [...allOf, ...($ref === undefined ? [] : [definitionOf($ref, definitions).node])];
  return bases.flatMap((base) => [base, ...basesOf(base, definitions)]);
}
