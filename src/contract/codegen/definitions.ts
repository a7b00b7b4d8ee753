import { type Definition, type Definitions, definitionOf } from "../schemas/definitions.js";
import { isAnnotation } from "../schemas/keywords.js";
import { type SchemaNode, walkNodes } from "../schemas/nodes.js";

/**
 * The same object type without `allOf`: the properties of its bases first, then its own. The node itself, unless it and its
 * bases are plain open objects that declare each property once.
 */
export function flattenAllOf(node: SchemaNode, definitions: Definitions): SchemaNode {
  if (node.allOf === undefined) return node;
  const parts = findPlainParts(node, definitions, new Set());
  const names = parts?.flatMap(({ properties }) => Object.keys(properties ?? {})) ?? [];
  if (parts === undefined || new Set(names).size < names.length) return node;
  const { allOf: _, ...own } = node;
  return {
    ...own,
    properties: Object.fromEntries(
      parts.flatMap(({ properties }) => Object.entries(properties ?? {})),
    ),
    required: [...new Set(parts.flatMap(({ required }) => required ?? []))],
  };
}

const OF_PLAIN_OBJECTS = ["type", "properties", "required", "allOf"];

/** A node and its bases, which come first; undefined if one is more than an open object, or comes twice. */
function findPlainParts(
  node: SchemaNode,
  definitions: Definitions,
  met: Set<SchemaNode>,
): SchemaNode[] | undefined {
  const keywords = Object.keys(node).filter((keyword) => !isAnnotation(keyword));
  const isPlain =
    node.type === "object" && keywords.every((each) => OF_PLAIN_OBJECTS.includes(each));
  if (!isPlain || met.has(node)) return undefined;
  met.add(node);
  const bases = (node.allOf ?? []).map(({ $ref, ...rest }) => {
    if ($ref === undefined || !Object.keys(rest).every(isAnnotation)) return undefined;
    return findPlainParts(definitionOf($ref, definitions).node, definitions, met);
  });
  if (bases.includes(undefined)) return undefined;
  return [...bases.flatMap((parts) => parts ?? []), node];
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

/** The definitions that refer to themselves, directly or through others. */
export function recursiveNames(definitions: Definitions): ReadonlySet<string> {
  const refs = new Map([...definitions].map(([name, { node }]) => [name, new Set(refsOf(node))]));
  const reaches = (from: string): boolean => {
    const met = new Set<string>();
    const pending = [...(refs.get(from) ?? [])];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (name === from) return true;
      if (met.has(name)) continue;
      met.add(name);
      pending.push(...(refs.get(name) ?? []));
    }
    return false;
  };
  return new Set([...definitions.keys()].filter(reaches));
}
