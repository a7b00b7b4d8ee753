import {
  type Definition,
  type Definitions,
  definitionOf,
} from "../../conformance/schemas/link-definitions.js";
import { ANNOTATIONS, type SchemaNode, typesOf } from "../../conformance/schemas/schema-node.js";
import { EXIT, UserError } from "../../src/user-error.js";
import { formatFailure } from "./python/format-failure.js";
import { pythonName } from "./python/python-name.js";
import { translatePattern } from "./python/translate-pattern.js";

/**
 * The part of JSON Schema 2020-12 that comes out right in every language. What lies outside is
 * refused by name: left out silently, it would give one language another verdict than the others.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  ...["$ref", "allOf", "type", "enum", "const"],
  ...["properties", "required", "additionalProperties"],
  ...["items", "minItems", "maxItems"],
  ...["minLength", "maxLength", "pattern", "format"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

const OBJECT_KEYWORDS = ["properties", "required", "additionalProperties"];
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;
const TYPED_KEYWORDS = [
  ...BOUNDS,
  ...["items", "minItems", "maxItems", "minLength", "maxLength", "pattern", "format"],
];

/** Names that the generated modules use themselves, in TypeScript or in Python. */
const TAKEN_NAMES: ReadonlySet<string> = new Set([
  ...["Any", "Invalid", "Iterator", "JsonValue", "Literal", "Mapping", "Record", "Type", "Unset"],
  ...["UNSET", "DEFINITIONS", "WireError", "WireFault", "None", "True", "False"],
  ...["Definitions", "DefinitionName", "EntryTypeName", "ValidationError", "Readonly"],
]);

/** Arrays in arrays that are still printed: Python nests no more than 20 blocks. */
const MAX_DEPTH = 8;

/** Throws UserError, with file and JSON Pointer, for the first thing that is not in the profile. */
export function assertProfile(definitions: Definitions): void {
  for (const definition of definitions.values()) {
    const { name, node } = definition;
    const place = placeOf(definition);
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name) || TAKEN_NAMES.has(name)) {
      throw refuse(place, "cannot name a type: use PascalCase, and no name of the generated code");
    }
    assertNode(node, place);
    assertBases(definition, definitions);
    assertNotRecursive(definition, definitions);
  }
  assertEntryTypes(definitions);
  assertSchemasNotCircular(definitions);
}

function assertNode(node: SchemaNode, place: string, depth = 0): void {
  // The meta-schema allows `true` and `false` wherever it allows a schema.
  if (typeof node !== "object") throw refuse(place, "is a boolean schema: say what it means");
  if (depth > MAX_DEPTH) throw refuse(place, `is nested more than ${MAX_DEPTH} levels deep`);
  const keywords = Object.keys(node);
  const unknown = keywords.find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) throw refuse(place, `uses "${unknown}"`);
  if (node.allOf !== undefined && depth > 0) throw refuse(place, 'uses "allOf" in a definition');
  const beside = keywords.find((keyword) => keyword !== "$ref" && !ANNOTATIONS.includes(keyword));
  if (node.$ref !== undefined && beside !== undefined)
    throw refuse(place, `has "${beside}" beside "$ref"`);
  assertTypes(node, place);
  assertLiterals(node, place);
  assertObject(node, place);
  if (node.pattern !== undefined) {
    const translated = translatePattern(node.pattern);
    if ("refused" in translated)
      throw refuse(place, `has the pattern ${node.pattern}: ${translated.refused}`);
  }
  if (node.format !== undefined && formatFailure(node.format, "", () => "") === undefined) {
    throw refuse(place, `has the format "${node.format}"`);
  }
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    assertNode(child, `${place}/properties/${name}`, depth + 1);
  }
  if (node.items !== undefined) assertNode(node.items, `${place}/items`, depth + 1);
  if (typeof node.additionalProperties === "object") {
    assertNode(node.additionalProperties, `${place}/additionalProperties`, depth + 1);
  }
}

/** A keyword that speaks of one type stands beside that type alone, or beside it and null. */
function assertTypes(node: SchemaNode, place: string): void {
  const types = typesOf(node).filter((type) => type !== "null");
  if (types.length === 0 && node.type !== undefined) throw refuse(place, "is of type null alone");
  const typed = Object.keys(node).find((keyword) => TYPED_KEYWORDS.includes(keyword));
  if (typed !== undefined && types.length !== 1)
    throw refuse(place, `has "${typed}" beside several types, or none`);
  for (const bound of BOUNDS) {
    const limit = node[bound];
    if (limit !== undefined && Math.abs(limit) > Number.MAX_SAFE_INTEGER) {
      throw refuse(place, `has a "${bound}" beyond 2^53 - 1, where doubles skip integers`);
    }
  }
}

function assertLiterals(node: SchemaNode, place: string): void {
  const literals = [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])];
  const odd = literals.find((literal) => !isLiteral(literal));
  if (odd !== undefined || node.const === null) {
    throw refuse(place, "has an enum or const of more than text, booleans and safe integers");
  }
  const types = typesOf(node);
  const stray = literals.find(
    (literal) => types.length > 0 && !types.some((type) => isOfType(type, literal)),
  );
  if (stray !== undefined)
    throw refuse(place, `allows ${JSON.stringify(stray)}, which is not of its type`);
}

function isLiteral(value: unknown): boolean {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    Number.isSafeInteger(value)
  );
}

function isOfType(type: string, literal: unknown): boolean {
  if (literal === null) return type === "null";
  if (typeof literal === "number") return type === "integer" || type === "number";
  return type === typeof literal;
}

function assertObject(node: SchemaNode, place: string): void {
  const keyword = Object.keys(node).find((name) => OBJECT_KEYWORDS.includes(name));
  if (keyword === undefined) return;
  if (node.type !== "object") throw refuse(place, `has "${keyword}" but not the type object alone`);
  const names = Object.keys(node.properties ?? {});
  if (node.additionalProperties === false && names.length === 0) {
    throw refuse(place, "is a closed object without properties");
  }
  if (typeof node.additionalProperties === "object" && names.length > 0) {
    throw refuse(place, 'has a schema as "additionalProperties" beside "properties"');
  }
  const seen = new Map<string, string>();
  for (const name of names) {
    if (name in Object.prototype || name.startsWith("$") || !/[A-Za-z0-9]/.test(name)) {
      throw refuse(place, `has a property "${name}", which not every language can name`);
    }
    const other = seen.get(pythonName(name));
    if (other !== undefined)
      throw refuse(place, `has "${other}" and "${name}", which are one name in Python`);
    seen.set(pythonName(name), name);
  }
}

/** `allOf` names open object types whose properties the type does not declare again. */
function assertBases(definition: Definition, definitions: Definitions): void {
  const { node } = definition;
  const place = placeOf(definition);
  if (node.allOf === undefined) return;
  if (node.type !== "object" || node.additionalProperties !== undefined) {
    throw refuse(place, 'has "allOf" but is no open object');
  }
  const declared = new Set(Object.keys(node.properties ?? {}));
  for (const [index, member] of node.allOf.entries()) {
    const base = definitions.get(member.$ref ?? "")?.node;
    if (base === undefined || Object.keys(member).length > 1) {
      throw refuse(`${place}/allOf/${index}`, 'is more than a "$ref"');
    }
    if (base.type !== "object" || base.additionalProperties !== undefined) {
      throw refuse(`${place}/allOf/${index}`, "points at what is no open object");
    }
    for (const name of propertiesOf(base, definitions)) {
      if (declared.has(name)) throw refuse(place, `declares "${name}" again`);
      declared.add(name);
    }
  }
}

function propertiesOf(node: SchemaNode, definitions: Definitions): string[] {
  const bases = (node.allOf ?? []).map(({ $ref = "" }) => definitionOf($ref, definitions).node);
  return [
    ...bases.flatMap((base) => propertiesOf(base, definitions)),
    ...Object.keys(node.properties ?? {}),
  ];
}

/** Deep values of a recursive type would hit Python's recursion limit, where Ajv goes on. */
function assertNotRecursive(definition: Definition, definitions: Definitions): void {
  const visit = ({ name, node }: Definition, path: readonly string[]): void => {
    if (path.includes(name))
      throw refuse(placeOf(definition), `refers to itself: ${[...path, name].join(" > ")}`);
    for (const ref of refsOf(node)) visit(definitionOf(ref, definitions), [...path, name]);
  };
  visit(definition, []);
}

function refsOf(node: SchemaNode): string[] {
  const { $ref, items, additionalProperties, properties, allOf } = node;
  const children = [
    ...Object.values(properties ?? {}),
    ...(allOf ?? []),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  return [...($ref === undefined ? [] : [$ref]), ...children.flatMap(refsOf)];
}

function assertEntryTypes(definitions: Definitions): void {
  for (const definition of definitions.values()) {
    const isEntry = definition.schema.entryTypes.includes(definition.name);
    if (isEntry && propertiesOf(definition.node, definitions).length === 0) {
      throw refuse(placeOf(definition), "is the type of a line but no object with properties");
    }
  }
}

/** Python modules cannot import each other at load time. */
function assertSchemasNotCircular(definitions: Definitions): void {
  const uses = new Map<string, Set<string>>();
  for (const { schema, node } of definitions.values()) {
    const targets = refsOf(node).map((ref) => definitionOf(ref, definitions).schema.file);
    const known = uses.get(schema.file) ?? new Set();
    uses.set(schema.file, known);
    for (const target of targets) if (target !== schema.file) known.add(target);
  }
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file))
      throw refuse(file, `refers to itself through other schemas: ${[...path, file].join(" > ")}`);
    for (const target of uses.get(file) ?? []) visit(target, [...path, file]);
  };
  for (const file of uses.keys()) visit(file, []);
}

function placeOf({ schema, name }: Definition): string {
  return `${schema.file} /$defs/${name}`;
}

function refuse(place: string, problem: string): UserError {
  return new UserError(
    `${place} ${problem} (not in the profile that every language prints)`,
    EXIT.findings,
  );
}
