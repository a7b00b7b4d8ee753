// @ts-check
/** Schemas as data, and which member of a union a value was meant for. */

/**
 * A definition as data, with its guard.
 * @typedef {object} Definition
 * @property {string} name
 * @property {Node} node
 * @property {(value: unknown) => boolean} is
 * @property {boolean} [isRecursive]
 */

/** @typedef {Readonly<Record<string, Node>>} NodeMap */

/**
 * A schema without annotations. `$ref` returns the definition, which may contain the node.
 * @typedef {object} Node
 * @property {() => Definition} [$ref]
 * @property {string | readonly string[]} [type]
 * @property {readonly unknown[]} [enum]
 * @property {unknown} [const]
 * @property {readonly Node[]} [allOf]
 * @property {readonly Node[]} [anyOf]
 * @property {readonly Node[]} [oneOf]
 * @property {Node} [not]
 * @property {Node} [if]
 * @property {Node} [then]
 * @property {Node} [else]
 * @property {NodeMap} [properties]
 * @property {NodeMap} [patternProperties]
 * @property {boolean | Node} [additionalProperties]
 * @property {Node} [propertyNames]
 * @property {readonly string[]} [required]
 * @property {number} [minProperties]
 * @property {number} [maxProperties]
 * @property {Readonly<Record<string, readonly string[]>>} [dependentRequired]
 * @property {NodeMap} [dependentSchemas]
 * @property {Node} [items]
 * @property {readonly Node[]} [prefixItems]
 * @property {Node} [contains]
 * @property {number} [minContains]
 * @property {number} [maxContains]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {boolean} [uniqueItems]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {string} [pattern]
 * @property {string} [format]
 * @property {number} [multipleOf]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [exclusiveMinimum]
 * @property {number} [exclusiveMaximum]
 */

/**
 * The node and all that applies with it to the same value, through references and `allOf`.
 * @param {Node} node
 * @param {Set<Node>} [met]
 * @returns {Set<Node>}
 */
function partsOf(node, met = new Set()) {
  if (met.has(node)) return met;
  met.add(node);
  if (node.$ref !== undefined) partsOf(node.$ref().node, met);
  for (const member of node.allOf ?? []) partsOf(member, met);
  return met;
}

/**
 * The types that a node says it accepts; undefined if it says none.
 * @param {Node} node
 * @returns {readonly string[] | undefined}
 */
function typesOf(node) {
  /** @type {readonly string[] | undefined} */
  let types;
  for (const { type } of partsOf(node)) {
    const own = type === undefined ? undefined : [type].flat();
    types = types === undefined || own === undefined ? (types ?? own) : types.flatMap(meet(own));
  }
  return types;
}

/**
 * What a type has in common with others.
 * @param {readonly string[]} types
 * @returns {(type: string) => string[]}
 */
function meet(types) {
  return (type) => {
    if (types.includes(type)) return [type];
    if (type === "integer" && types.includes("number")) return ["integer"];
    return type === "number" && types.includes("integer") ? ["integer"] : [];
  };
}

/**
 * The types of all members of a union; undefined if one does not say its types.
 * @param {readonly Node[]} members
 * @returns {readonly string[] | undefined}
 */
export function listTypes(members) {
  const types = members.map(typesOf);
  const all = [...new Set(types.flatMap((each) => each ?? []))];
  return types.includes(undefined) || all.length === 0 ? undefined : all;
}

/**
 * Whether a node may accept values of that JSON type, for all that it says.
 * @param {Node} node
 * @param {unknown} value
 * @returns {boolean}
 */
export function mayAccept(node, value) {
  const types = typesOf(node);
  if (types === undefined) return true;
  if (Number.isFinite(value)) return types.includes("number") || types.includes("integer");
  if (value === null) return types.includes("null");
  if (typeof value === "number") return false;
  return types.includes(Array.isArray(value) ? "array" : typeof value);
}

/**
 * The property by whose value members can be told apart: each declares texts for it, and no two the same.
 * @param {readonly Node[]} members
 * @returns {{ readonly name: string, readonly values: readonly (readonly unknown[])[] } | undefined}
 */
export function findTag(members) {
  const declared = members.map(tagsOf);
  for (const name of declared[0]?.keys() ?? []) {
    const values = declared.flatMap((tags) => [tags.get(name) ?? []]);
    const all = values.flat();
    if (values.every(({ length }) => length > 0) && new Set(all).size === all.length) {
      return { name, values };
    }
  }
  return undefined;
}

/**
 * The texts that a node allows for its properties, by name, where it allows only some.
 * @param {Node} node
 * @returns {Map<string, readonly unknown[]>}
 */
function tagsOf(node) {
  /** @type {Map<string, readonly unknown[]>} */
  const tags = new Map();
  for (const { properties = {} } of partsOf(node)) {
    for (const [name, property] of Object.entries(properties)) {
      const texts = textsOf(property);
      if (texts !== undefined && !tags.has(name)) tags.set(name, texts);
    }
  }
  return tags;
}

/**
 * @param {Node} node
 * @returns {readonly unknown[] | undefined}
 */
function textsOf(node) {
  for (const part of partsOf(node)) {
    const literals = "const" in part ? [part.const] : (part.enum ?? []);
    const isOfTexts = literals.length > 0 && literals.every((each) => typeof each === "string");
    if (isOfTexts) return [...new Set(literals)];
  }
  return undefined;
}
