import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { isAnnotation, REDACT } from "../schemas/keywords.js";
import type { TypeLink, TypePart } from "./contract-data.js";

/** A definition that a reference leads to. */
export interface Target {
  readonly link: TypeLink;
  readonly node: JsonObject;
  /** Finds the references in it. */
  readonly resolve: Resolve;
}

/** Finds the definition that a reference names; undefined if it names something else. */
export type Resolve = (reference: string) => Target | undefined;

/** What values of a schema are, apart from limits. */
export function describeType(node: unknown, resolve: Resolve): readonly TypePart[] {
  if (node === false) return ["nothing"];
  if (!isJsonObject(node)) return ["any JSON value"];
  if (typeof node.$ref === "string") {
    const target = resolve(node.$ref);
    if (target === undefined) return [node.$ref];
    if (!isSimple(target.node)) return [target.link];
    return [target.link, ": ", ...describeType(target.node, resolve)];
  }
  if ("const" in node) return [JSON.stringify(node.const)];
  if (Array.isArray(node.enum)) {
    return join(
      node.enum.map((value) => [JSON.stringify(value)]),
      " | ",
    );
  }
  const types = [node.type ?? []].flat().map(String);
  const alternatives = toList(node.anyOf ?? node.oneOf);
  if (types.length === 0 && alternatives.length > 0) {
    return join(
      alternatives.map((each) => describeType(each, resolve)),
      " or ",
    );
  }
  const bases = toList(node.allOf)
    .filter((member) => isJsonObject(member) && typeof member.$ref === "string")
    .map((member) => describeType(member, resolve));
  const kinds = types.map((type) => describeKind(type, node, resolve));
  if (kinds.length + bases.length === 0) return ["any JSON value"];
  return join([...(kinds.length === 0 ? [] : [join(kinds, " or ")]), ...bases], " and ");
}

function describeKind(type: string, node: JsonObject, resolve: Resolve): readonly TypePart[] {
  const part = type === "array" ? node.items : type === "object" ? valuesOf(node) : undefined;
  if (part === undefined) return [type];
  const parts = describeType(part, resolve);
  const isSeveral = parts.some((each) => typeof each === "string" && / or | \| /.test(each));
  return [`${type} of `, ...(isSeveral ? ["(", ...parts, ")"] : parts)];
}

/** The schema of the values of a map: an object without fields of its own. */
export function valuesOf(node: JsonObject): JsonObject | undefined {
  const { additionalProperties } = node;
  return node.properties === undefined && isJsonObject(additionalProperties)
    ? additionalProperties
    : undefined;
}

/** Whether a definition is told in a few words, so that a link to it is not enough. */
function isSimple({ $ref, type, anyOf, oneOf, allOf, ...node }: JsonObject): boolean {
  const kinds = [type ?? []].flat();
  const isClosed = "const" in node || "enum" in node || kinds.length > 0;
  const isNested = kinds.includes("array") || kinds.includes("object");
  return isClosed && !isNested && [$ref, anyOf, oneOf, allOf].every((each) => each === undefined);
}

/** Keywords that are told with the type, or as fields. */
const TOLD = ["$ref", "type", "const", "enum", "items", "properties", "required", "$defs"];

type Words = (value: unknown) => string;

const WORDS: Readonly<Record<string, Words>> = {
  minimum: (value) => `>= ${value}`,
  exclusiveMinimum: (value) => `> ${value}`,
  maximum: (value) => `<= ${value}`,
  exclusiveMaximum: (value) => `< ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => `at least ${count(value, "character")}`,
  maxLength: (value) => `at most ${count(value, "character")}`,
  minItems: (value) => `at least ${count(value, "item")}`,
  maxItems: (value) => `at most ${count(value, "item")}`,
  minProperties: (value) => `at least ${count(value, "field")}`,
  maxProperties: (value) => `at most ${count(value, "field")}`,
  pattern: (value) => `matches ${value}`,
  format: (value) => `format ${value}`,
};

function count(value: unknown, noun: string): string {
  return `${value} ${noun}${value === 1 ? "" : "s"}`;
}

/** The limits of a schema, each in words; those of which there are no words as in the schema. */
export function describeConstraints(node: unknown, resolve: Resolve): readonly string[] {
  if (!isJsonObject(node)) return [];
  return Object.entries(node).flatMap(([keyword, value]) => {
    if (keyword === "$ref") {
      const target = resolve(String(value));
      return target && isSimple(target.node) ? describeConstraints(target.node, resolve) : [];
    }
    if (keyword === "items" && isJsonObject(value)) return ofParts("each item", value, resolve);
    if (keyword === "additionalProperties") return describeRest(node, resolve);
    if (keyword === "uniqueItems") return value === true ? ["no two items are equal"] : [];
    if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf") {
      return describeMembers(keyword, toList(value), resolve);
    }
    if (keyword === REDACT) return [`redaction: ${value}`];
    if (keyword === "default") return [`default: ${JSON.stringify(value)}`];
    if (keyword === "deprecated") return value === true ? ["deprecated"] : [];
    if (TOLD.includes(keyword) || isAnnotation(keyword) || keyword.startsWith("$")) return [];
    const words = Object.hasOwn(WORDS, keyword) ? WORDS[keyword] : undefined;
    return [words ? words(value) : `${keyword}: ${JSON.stringify(value)}`];
  });
}

function ofParts(which: string, node: JsonObject, resolve: Resolve): string[] {
  return describeConstraints(node, resolve).map((constraint) => `${which}: ${constraint}`);
}

function describeRest(node: JsonObject, resolve: Resolve): string[] {
  const { additionalProperties: rest } = node;
  if (rest === false) return ["no other field is allowed"];
  const values = valuesOf(node);
  if (values !== undefined) return ofParts("each value", values, resolve);
  return isJsonObject(rest) ? [`any other field: ${JSON.stringify(rest)}`] : [];
}

/** References are told with the type. */
function describeMembers(keyword: string, members: readonly unknown[], resolve: Resolve): string[] {
  const limits = members.flatMap((member, index) => {
    if (!isJsonObject(member)) return [];
    if (keyword === "allOf") return "$ref" in member ? [] : describeConstraints(member, resolve);
    const required = toList(member.required);
    const which = `alternative ${index + 1}`;
    return [
      ...(required.length === 0 ? [] : [`${which}: requires ${required.join(", ")}`]),
      ...ofParts(which, member, resolve),
    ];
  });
  return keyword === "oneOf" ? ["exactly one alternative", ...limits] : limits;
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function join(parts: readonly (readonly TypePart[])[], separator: string): TypePart[] {
  return parts.flatMap((part, index) => (index === 0 ? part : [separator, ...part]));
}
