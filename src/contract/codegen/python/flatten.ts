import { type Definitions, definitionOf } from "../../schemas/definitions.js";
import { isClosed, type SchemaNode, typesOf } from "../../schemas/nodes.js";

/** What was found of the nodes of some definitions. */
const known = new WeakMap<Definitions, Map<SchemaNode, SchemaNode>>();

/**
 * What a type can say of a node: one part of what applies to its values, or the properties of all parts if they describe
 * objects. It has no `allOf`, a `$ref` stands alone, and `oneOf` is `anyOf`. Every value that the node accepts has this type.
 * Each node is looked at once, however many paths lead to it.
 */
export function typeParts(node: SchemaNode, definitions: Definitions): SchemaNode {
  const found = known.get(definitions) ?? new Map<SchemaNode, SchemaNode>();
  known.set(definitions, found);
  const parts = found.get(node);
  if (parts !== undefined) return parts;
  // Of a node that leads back to itself nothing is known.
  found.set(node, {});
  const type = findParts(node, definitions);
  found.set(node, type);
  return type;
}

function findParts(node: SchemaNode, definitions: Definitions): SchemaNode {
  const { $ref, allOf = [], ...own } = node;
  const type = typeOfOwn(own, definitions);
  const isBare = !isTyped(type) && type.properties === undefined;
  if (allOf.length === 0 && ($ref === undefined || isBare)) {
    return $ref === undefined ? type : { $ref };
  }
  const bases = [...($ref === undefined ? [] : [{ $ref }]), ...allOf];
  const objects = [...bases.map((base) => resolve(base, definitions)), type].filter(
    (part) => isTyped(part) || part.properties !== undefined,
  );
  if (
    objects.length > 1 &&
    objects.every(isObjectPart) &&
    objects.some(isTyped) &&
    objects.some(({ properties }) => properties !== undefined) &&
    // An object that only refers to another is that other one.
    !(type.properties === undefined && bases.length === 1)
  ) {
    return merge(own, objects);
  }
  const all = [type, ...bases.map((base) => typeParts(base, definitions))];
  return all.find(isTyped) ?? {};
}

/** The same as `typeParts`, with the definition in place of a `$ref` to it. */
function resolve(
  node: SchemaNode,
  definitions: Definitions,
  met: ReadonlySet<string> = new Set(),
): SchemaNode {
  const type = typeParts(node, definitions);
  if (type.$ref === undefined || met.has(type.$ref)) return type;
  const target = definitionOf(type.$ref, definitions).node;
  return resolve(target, definitions, new Set([...met, type.$ref]));
}

/** A union says more than a type alone, if each member says something. */
function typeOfOwn(node: SchemaNode, definitions: Definitions): SchemaNode {
  const { oneOf, anyOf = oneOf, ...own } = node;
  const hasMore = [own.enum, own.const, own.properties, own.items, own.prefixItems];
  const isPlain = hasMore.every((each) => each === undefined);
  if (anyOf === undefined || !isPlain || typeof own.additionalProperties === "object") return own;
  return anyOf.every((member) => isTyped(typeParts(member, definitions))) ? { anyOf } : own;
}

function isTyped(node: SchemaNode): boolean {
  const says = ["$ref", "type", "enum", "const", "anyOf"] as const;
  return says.some((keyword) => node[keyword] !== undefined);
}

function isObjectPart(node: SchemaNode): boolean {
  const others = ["$ref", "enum", "const", "anyOf"] as const;
  if (others.some((keyword) => node[keyword] !== undefined)) return false;
  return typesOf(node).every((type) => type === "object");
}

/** The properties of the bases first. A property that is declared again is what the last type says of it. */
function merge(own: SchemaNode, parts: readonly SchemaNode[]): SchemaNode {
  const properties = new Map<string, SchemaNode>();
  for (const [name, child] of parts.flatMap((part) => Object.entries(part.properties ?? {}))) {
    if (isTyped(child) || !properties.has(name)) properties.set(name, child);
  }
  return {
    ...(own.description !== undefined && { description: own.description }),
    type: "object",
    properties: Object.fromEntries(properties),
    required: [...new Set(parts.flatMap(({ required }) => required ?? []))],
    ...(parts.some(isClosed) && { additionalProperties: false }),
  };
}
