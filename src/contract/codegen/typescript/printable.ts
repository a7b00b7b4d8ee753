import type { JSONSchema } from "json-schema-to-typescript";
import { type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";

/** The parts of schemas that json-schema-to-typescript prints as they are meant. */
type Printable = JSONSchema;

/** Gives the name by which a printed type refers to a definition. */
export type Refer = (definition: string) => string;

const UNKNOWN: Printable = { tsType: "unknown" };

const ALL_TYPES: readonly TypeName[] = ["object", "array", "string", "number", "boolean", "null"];

/** Most lengths of a tuple that are types of their own. */
const MAX_LENGTHS = 8;

/**
 * The schema of a type that has every value that `node` accepts. It may have more: TypeScript cannot say what a pattern,
 * `not` or `if` demands. Names of properties that the printer may misread become those that `oddNames` gives.
 */
export function toPrintable(node: SchemaNode, refer: Refer, oddNames: OddNames): Printable {
  const { description, deprecated } = Object(node);
  const print = (child: SchemaNode): Printable => toPrintable(child, refer, oddNames);
  return {
    ...(typeof description === "string" && { description }),
    ...(deprecated === true && { deprecated }),
    ...toType(node, refer, print, oddNames),
  };
}

type Print = (node: SchemaNode) => Printable;

function toType(node: SchemaNode, refer: Refer, print: Print, oddNames: OddNames): Printable {
  const { $ref, allOf = [], anyOf, oneOf } = node;
  if (acceptsNothing(node)) return { tsType: "never" };
  const literals = literalsOf(node);
  if (literals !== undefined) return printLiterals(literals);
  const parts = [
    ...($ref === undefined ? [] : [{ tsType: refer($ref) }]),
    toOwnType(node, print, oddNames),
    ...allOf.map(print),
    ...[anyOf, oneOf].flatMap((members) =>
      members === undefined ? [] : [union(members.map(print))],
    ),
  ].filter((part) => part.tsType !== "unknown");
  const [only] = parts;
  if (only === undefined) return UNKNOWN;
  return parts.length === 1 ? only : { allOf: parts };
}

function acceptsNothing({ not }: SchemaNode): boolean {
  return not !== undefined && Object.keys(not).length === 0;
}

/** The literals that a node allows, without those of other types; undefined if it names none. */
function literalsOf(node: SchemaNode): readonly unknown[] | undefined {
  const literals = "const" in node ? [node.const] : node.enum;
  const types = typesOf(node);
  return literals?.filter(
    (literal) => types.length === 0 || types.some((type) => isOf(type, literal)),
  );
}

function isOf(type: TypeName, literal: unknown): boolean {
  if (literal === null || type === "null") return literal === null && type === "null";
  if (Array.isArray(literal) || type === "array") return Array.isArray(literal) && type === "array";
  return typeof literal === (type === "integer" ? "number" : type);
}

function printLiterals(literals: readonly unknown[]): Printable {
  if (literals.some((literal) => typeof literal === "object" && literal !== null)) {
    return { tsType: literals.map(printLiteral).join(" | ") };
  }
  return { enum: literals.map((literal) => JSON.parse(JSON.stringify(literal))) };
}

function printLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${printLiteral(each)}`,
  );
  return members.length === 0 ? "{ [k: string]: never }" : `{ ${members.join("; ")} }`;
}

function union(members: readonly Printable[]): Printable {
  const [only] = members;
  if (members.length === 1 && only !== undefined) return only;
  return members.some(({ tsType }) => tsType === "unknown") ? UNKNOWN : { anyOf: [...members] };
}

/** What `type` and the keywords of objects and arrays say. Without `type`, they say nothing of other values. */
function toOwnType(node: SchemaNode, print: Print, oddNames: OddNames): Printable {
  const types = typesOf(node);
  const isShaped = OBJECT_KEYWORDS.some((keyword) => node[keyword] !== undefined);
  if (types.length === 0 && !isShaped && !isList(node)) return UNKNOWN;
  const members = (types.length === 0 ? ALL_TYPES : types).map((type): Printable => {
    if (type === "object") return toObject(node, print, oddNames);
    return type === "array" ? toArray(node, print) : { type };
  });
  return union(members);
}

const OBJECT_KEYWORDS = [
  "properties",
  "required",
  "patternProperties",
  "additionalProperties",
] as const;

function isList({ items, prefixItems }: SchemaNode): boolean {
  return items !== undefined || prefixItems !== undefined;
}

function toObject(node: SchemaNode, print: Print, oddNames: OddNames): Printable {
  const { properties = {}, patternProperties = {}, additionalProperties = true } = node;
  const declared = Object.entries(properties).map(
    ([name, property]) => [name, print(property)] as const,
  );
  const isOpen = additionalProperties === true;
  const extra = isOpen
    ? (node.required ?? []).filter((name) => !Object.hasOwn(properties, name))
    : [];
  const fields = [...declared, ...extra.map((name) => [name, UNKNOWN] as const)];
  const matched = Object.values(patternProperties).map(print);
  const others = typeof additionalProperties === "object" ? [print(additionalProperties)] : [];
  const values = [...others, ...matched];
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, type]) => [oddNames.replace(name), type])),
    required: (node.required ?? []).map((name) => oddNames.replace(name)),
    additionalProperties:
      isOpen || values.length === 0
        ? isOpen && (fields.length === 0 || matched.length > 0)
        : union(values),
  };
}

function toArray(node: SchemaNode, print: Print): Printable {
  const { items, prefixItems, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
  if (prefixItems === undefined) {
    return {
      type: "array",
      ...(items !== undefined && { items: print(items) }),
      ...(minItems > 0 && minItems <= maxItems && { minItems }),
      ...(maxItems >= minItems && node.maxItems !== undefined && { maxItems }),
    };
  }
  const prefix = prefixItems.map(print);
  const rest = items === undefined ? UNKNOWN : print(items);
  const least = Math.min(minItems, prefix.length);
  if (prefix.length - least > MAX_LENGTHS) {
    return { type: "array", items: union([...prefix, rest]) };
  }
  const hasRest = items === undefined || !acceptsNothing(items);
  const lengths = Array.from({ length: prefix.length - least + 1 }, (_, index) => least + index);
  return union(
    lengths.map((length) => ({
      type: "array",
      items: prefix.slice(0, length),
      ...(length === prefix.length && hasRest && { additionalItems: rest }),
    })),
  );
}

/** Names of properties that the printer would read as something else, and those that stand for them. */
export class OddNames {
  readonly #names: string[] = [];

  replace(name: string): string {
    if (/^[A-Za-z_][\w-]*$/.test(name) && !(name in Object.prototype)) return name;
    const known = this.#names.indexOf(name);
    if (known < 0) this.#names.push(name);
    return `odd_name_${known < 0 ? this.#names.length - 1 : known}_`;
  }

  /** Puts the names back into what was printed. */
  restore(code: string): string {
    return code.replace(/\bodd_name_(\d+)_(?=\??:)/g, (text, index: string) => {
      const name = this.#names[Number(index)];
      return name === undefined ? text : JSON.stringify(name);
    });
  }
}
