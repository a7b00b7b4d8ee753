import { type Definition, type Definitions, definitionOf } from "../schemas/definitions.js";
import { type SchemaNode, walkNodes } from "../schemas/nodes.js";

/**
 * The same object type without `allOf`: the properties of its bases first, then its own. Types are printed
 * from this, validators from the document itself. The profile ensures that both mean the same.
 */
export function flattenAllOf(node: SchemaNode, definitions: Definitions): SchemaNode {
  if (node.allOf === undefined) return node;
  const { allOf, ...own } = node;
  const bases = allOf.map(({ $ref }) =>
    flattenAllOf(definitionOf($ref ?? "", definitions).node, definitions),
  );
  const parts = [...bases, own];
  return {
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...new Set(parts.flatMap(({ required }) => required ?? []))],
  };
}

/** Names of the definitions that a linked node refers to, at any depth. */
export function refsOf(root: SchemaNode): string[] {
  return [...walkNodes(root)].flatMap(({ node }) => node.$ref ?? []);
}

/** The definitions, each after those that it refers to, as far as they do not refer to each other. */
export function leavesFirst(definitions: Definitions): Definition[] {
  const ordered: Definition[] = [];
  const entered = new Set<string>();
  const enter = (name: string): void => {
    if (entered.has(name)) return;
    entered.add(name);
    const definition = definitionOf(name, definitions);
    for (const ref of refsOf(definition.node)) enter(ref);
    ordered.push(definition);
  };
  for (const name of definitions.keys()) enter(name);
  return ordered;
}
