import { type Definitions, definitionOf } from "./link-definitions.js";
import type { SchemaNode } from "./schema-node.js";

/** What an object type says of its fields. */
export interface Declared {
  readonly properties: Readonly<Record<string, SchemaNode>>;
  readonly required: readonly string[];
}

/** What `node` and everything that it refers to by `$ref` and `allOf` say of its fields. */
export function declaredIn(node: SchemaNode, definitions: Definitions): Declared {
  const inherited = inheritedBy(node, definitions);
  return {
    properties: { ...inherited.properties, ...node.properties },
    required: [...new Set([...inherited.required, ...(node.required ?? [])])],
  };
}

/** The same without what the node says itself. */
export function inheritedBy(node: SchemaNode, definitions: Definitions): Declared {
  const bases = basesOf(node, definitions).map((base) => declaredIn(base, definitions));
  return {
    properties: Object.assign({}, ...bases.map(({ properties }) => properties)),
    required: bases.flatMap(({ required }) => required),
  };
}

/** The nodes that judge the same value because `node` refers to them, near and far. */
export function basesOf(node: SchemaNode, definitions: Definitions): SchemaNode[] {
  const { $ref, allOf = [] } = node;
  const bases = [...allOf, ...($ref === undefined ? [] : [definitionOf($ref, definitions).node])];
  return bases.flatMap((base) => [base, ...basesOf(base, definitions)]);
}
