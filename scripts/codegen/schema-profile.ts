import { FileFault } from "../../conformance/file-fault.js";
import { findCycle } from "../../conformance/schemas/find-cycle.js";
import {
  type Definition,
  type Definitions,
  definitionOf,
} from "../../conformance/schemas/link-definitions.js";
import { ANNOTATIONS, type SchemaNode, typesOf } from "../../conformance/schemas/schema-node.js";
import { toPointerToken } from "../../src/records/resolve-pointer.js";
import { isPattern } from "./is-pattern.js";
import { formatFailure } from "./python/format-failure.js";
import { pythonName } from "./python/python-name.js";
import { translatePattern } from "./python/translate-pattern.js";
import { refsOf } from "./refs-of.js";

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

/** What to write instead of a keyword that people reach for. */
const HINTS: Readonly<Record<string, string>> = {
  oneOf: ", and says of no record which member it means: give each a type of its own in /anyOf",
  anyOf: ": only the root lists types, those of a line",
};

/** Names that the generated modules use themselves, in TypeScript or in Python. */
const TAKEN_NAMES: ReadonlySet<string> = new Set([
  ...["Any", "Invalid", "Iterator", "JsonValue", "Literal", "Mapping", "Record", "Type", "Unset"],
  ...["UNSET", "DEFINITIONS", "WireError", "WireFault", "None", "True", "False"],
  ...["Definitions", "DefinitionName", "EntryTypeName", "ValidationError", "Readonly"],
]);

/** Arrays in arrays that are still printed: Python nests no more than 20 blocks. */
const MAX_DEPTH = 8;

/** Throws FileFault for the first thing that is not in the profile. */
export function assertProfile(definitions: Definitions): void {
  for (const fault of findProfileFaults(definitions)) throw fault;
}

/** What is not in the profile, each with its file and JSON Pointer. */
export function* findProfileFaults(definitions: Definitions): Generator<FileFault> {
  for (const definition of definitions.values()) {
    const { name, node } = definition;
    const place = placeOf(definition);
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name) || TAKEN_NAMES.has(name)) {
      yield refuse(place, "cannot name a type: use PascalCase, and no name of the generated code");
    }
    yield* findNodeFaults(node, place);
  }
  // First: what follows would not come to an end on a type that refers to itself.
  const cycles = [...findCycles(definitions)];
  yield* cycles;
  if (cycles.length > 0) return;
  for (const definition of definitions.values()) {
    yield* findBaseFaults(definition, definitions);
    yield* findEntryFaults(definition, definitions);
  }
}

function* findNodeFaults(node: SchemaNode, place: Place, depth = 0): Generator<FileFault> {
  // The meta-schema allows `true` and `false` wherever it allows a schema.
  if (typeof node !== "object") {
    yield refuse(place, "is a boolean schema: say what it means");
    return;
  }
  if (depth > MAX_DEPTH) {
    yield refuse(place, `is nested more than ${MAX_DEPTH} levels deep`);
    return;
  }
  const keywords = Object.keys(node);
  for (const keyword of keywords.filter((each) => !KEYWORDS.has(each))) {
    yield refuse(below(place, keyword), `uses "${keyword}"${HINTS[keyword] ?? ""}`, "keyword");
  }
  if (node.allOf !== undefined && depth > 0) {
    yield refuse(below(place, "allOf"), 'uses "allOf" in a definition');
  }
  const beside = keywords.find((keyword) => keyword !== "$ref" && !ANNOTATIONS.includes(keyword));
  if (node.$ref !== undefined && beside !== undefined) {
    yield refuse(below(place, beside), `has "${beside}" beside "$ref"`);
  }
  yield* findTypeFaults(node, place);
  yield* findLiteralFaults(node, place);
  yield* findObjectFaults(node, place);
  if (node.pattern !== undefined) yield* findPatternFaults(node.pattern, below(place, "pattern"));
  if (node.format !== undefined && formatFailure(node.format, "", () => "") === undefined) {
    yield refuse(below(place, "format"), `has the format "${node.format}"`);
  }
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    yield* findNodeFaults(child, below(place, "properties", name), depth + 1);
  }
  if (node.items !== undefined) {
    yield* findNodeFaults(node.items, below(place, "items"), depth + 1);
  }
  if (typeof node.additionalProperties === "object") {
    const values = below(place, "additionalProperties");
    yield* findNodeFaults(node.additionalProperties, values, depth + 1);
  }
}

function* findPatternFaults(pattern: string, place: Place): Generator<FileFault> {
  if (!isPattern(pattern)) {
    yield refuse(place, `is no pattern of ECMAScript: ${pattern}`, "pattern");
    return;
  }
  const translated = translatePattern(pattern);
  if ("refused" in translated) {
    yield refuse(place, `has the pattern ${pattern}: ${translated.refused}`, "pattern");
  }
}

/** A keyword that speaks of one type stands beside that type alone, or beside it and null. */
function* findTypeFaults(node: SchemaNode, place: Place): Generator<FileFault> {
  const types = typesOf(node).filter((type) => type !== "null");
  if (types.length === 0 && node.type !== undefined) yield refuse(place, "is of type null alone");
  const typed = Object.keys(node).find((keyword) => TYPED_KEYWORDS.includes(keyword));
  if (typed !== undefined && types.length !== 1)
    yield refuse(place, `has "${typed}" beside several types, or none`);
  for (const bound of BOUNDS) {
    const limit = node[bound];
    if (limit !== undefined && Math.abs(limit) > Number.MAX_SAFE_INTEGER) {
      yield refuse(place, `has a "${bound}" beyond 2^53 - 1, where doubles skip integers`);
    }
  }
}

function* findLiteralFaults(node: SchemaNode, place: Place): Generator<FileFault> {
  const literals = [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])];
  const odd = literals.find((literal) => !isLiteral(literal));
  if (odd !== undefined || node.const === null) {
    yield refuse(place, "has an enum or const of more than text, booleans and safe integers");
  }
  const types = typesOf(node);
  const stray = literals.find(
    (literal) => types.length > 0 && !types.some((type) => isOfType(type, literal)),
  );
  if (stray !== undefined)
    yield refuse(place, `allows ${JSON.stringify(stray)}, which is not of its type`);
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

function* findObjectFaults(node: SchemaNode, place: Place): Generator<FileFault> {
  const keyword = Object.keys(node).find((name) => OBJECT_KEYWORDS.includes(name));
  if (keyword === undefined) return;
  if (node.type !== "object") {
    yield refuse(below(place, keyword), `has "${keyword}" but not the type object alone`);
  }
  const names = Object.keys(node.properties ?? {});
  if (node.additionalProperties === false && names.length === 0) {
    yield refuse(place, "is a closed object without properties");
  }
  if (typeof node.additionalProperties === "object" && names.length > 0) {
    yield refuse(place, 'has a schema as "additionalProperties" beside "properties"');
  }
  const seen = new Map<string, string>();
  for (const name of names) {
    if (name in Object.prototype || name.startsWith("$") || !/[A-Za-z0-9]/.test(name)) {
      yield refuse(place, `has a property "${name}", which not every language can name`);
    }
    const other = seen.get(pythonName(name));
    if (other !== undefined)
      yield refuse(place, `has "${other}" and "${name}", which are one name in Python`);
    seen.set(pythonName(name), name);
  }
}

/** `allOf` names open object types whose properties the type does not declare again. */
function* findBaseFaults(definition: Definition, definitions: Definitions): Generator<FileFault> {
  const { node } = definition;
  const place = placeOf(definition);
  if (node.allOf === undefined) return;
  if (node.type !== "object" || node.additionalProperties !== undefined) {
    yield refuse(place, 'has "allOf" but is no open object');
  }
  const declared = new Set(Object.keys(node.properties ?? {}));
  for (const [index, member] of node.allOf.entries()) {
    const at = below(place, "allOf", `${index}`);
    const base = definitions.get(member.$ref ?? "")?.node;
    if (base === undefined || Object.keys(member).length > 1) {
      yield refuse(at, 'is more than a "$ref"');
      return;
    }
    if (base.type !== "object" || base.additionalProperties !== undefined) {
      yield refuse(at, "points at what is no open object");
      return;
    }
    for (const name of propertiesOf(base, definitions)) {
      if (declared.has(name)) {
        yield refuse(place, `declares "${name}" again`);
        return;
      }
      declared.add(name);
    }
  }
}

function propertiesOf(node: SchemaNode, definitions: Definitions): Set<string> {
  const names = new Set(Object.keys(node.properties ?? {}));
  for (const { $ref = "" } of node.allOf ?? []) {
    const base = definitions.get($ref)?.node;
    for (const name of base ? propertiesOf(base, definitions) : []) names.add(name);
  }
  return names;
}

function* findEntryFaults(definition: Definition, definitions: Definitions): Generator<FileFault> {
  const { name, node, schema } = definition;
  if (schema.entryTypes.includes(name) && propertiesOf(node, definitions).size === 0) {
    yield refuse(
      placeOf(definition),
      "is the type of a line but no object with properties",
      "entry-type",
    );
  }
}

/**
 * Deep values of a recursive type would hit Python's recursion limit, where Ajv goes on; and Python modules
 * cannot import each other at load time.
 */
function* findCycles(definitions: Definitions): Generator<FileFault> {
  const types = new Map([...definitions].map(([name, { node }]) => [name, refsOf(node)]));
  const cycle = findCycle(types);
  if (cycle !== undefined) {
    const place = placeOf(definitionOf(cycle[0] ?? "", definitions));
    yield refuse(place, `refers to itself: ${cycle.join(" > ")}`, "recursion");
  }
  const files = new Map<string, string[]>();
  for (const { schema, node } of definitions.values()) {
    const targets = refsOf(node).map((ref) => definitionOf(ref, definitions).schema.file);
    const others = targets.filter((file) => file !== schema.file);
    files.set(schema.file, [...(files.get(schema.file) ?? []), ...others]);
  }
  const circle = findCycle(files);
  if (circle !== undefined) {
    const place = { file: circle[0] ?? "", pointer: "" };
    const problem = `refers to itself through other schemas: ${circle.join(" > ")}`;
    yield refuse(place, problem, "recursion");
  }
}

interface Place {
  readonly file: string;
  readonly pointer: string;
}

function placeOf({ schema, name }: Definition): Place {
  return { file: schema.file, pointer: `/$defs/${toPointerToken(name)}` };
}

function below({ file, pointer }: Place, ...path: string[]): Place {
  return { file, pointer: [pointer, ...path.map(toPointerToken)].join("/") };
}

function refuse({ file, pointer }: Place, problem: string, id = "profile"): FileFault {
  return new FileFault({
    id,
    file,
    pointer,
    problem: `${problem} (not in the profile that every language prints)`,
  });
}
