import { isSafePattern } from "redos-detector";
import { FileFault } from "../../base/findings/finding.js";
import { toPointerToken } from "../../base/json/pointer.js";
import type { Definition, SchemaPlace } from "../schemas/definitions.js";
import { ANNOTATIONS, isAnnotation, REDACT } from "../schemas/keywords.js";
import { type SchemaNode, typesOf } from "../schemas/nodes.js";
import { isPattern } from "./front/normal-form.js";
import { formatFailure } from "./python/conditions.js";
import { pythonName } from "./python/names.js";
import { translatePattern } from "./python/patterns.js";

/**
 * The subset of JSON Schema 2020-12 that every generator supports correctly. Anything else is rejected by
 * name: if it were ignored silently, verdicts would differ between languages.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  REDACT,
  ...["x-format", "$ref", "allOf", "type", "enum", "const"],
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

/** Alternatives to common unsupported keywords. */
const HINTS: Readonly<Record<string, string>> = {
  oneOf: ", and says of no record which member it means: give each a type of its own in /anyOf",
  anyOf: ": only the root lists types, those of a line",
};

/** Maximum nesting of arrays: Python allows no more than 20 nested blocks. */
const MAX_DEPTH = 8;

/** The faults of a node and of all nodes below it. */
export function* findNodeFaults(
  node: SchemaNode,
  place: SchemaPlace,
  depth = 0,
): Generator<FileFault> {
  // The metaschema allows `true` and `false` wherever it allows a schema.
  if (typeof node !== "object") {
    yield refuse(place, "is a boolean schema: write it as an object");
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
  for (const beside of node.$ref === undefined ? [] : keywords) {
    if (beside === "$ref" || isAnnotation(beside)) continue;
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

function* findPatternFaults(pattern: string, place: SchemaPlace): Generator<FileFault> {
  if (!isPattern(pattern)) {
    yield refuse(place, `is not an ECMAScript pattern: ${pattern}`, "pattern");
    return;
  }
  const translated = translatePattern(pattern);
  if ("refused" in translated) {
    yield refuse(place, `has the pattern ${pattern}: ${translated.refused}`, "pattern");
  }
  const danger = findBacktracking(pattern);
  if (danger !== undefined) yield refuse(place, danger, "backtracking");
}

/** A keyword for one type must be used with that type alone, or with it and null. */
function* findTypeFaults(node: SchemaNode, place: SchemaPlace): Generator<FileFault> {
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

function* findLiteralFaults(node: SchemaNode, place: SchemaPlace): Generator<FileFault> {
  const literals = [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])];
  const odd = literals.find((literal) => !isLiteral(literal));
  if (odd !== undefined || node.const === null) {
    yield refuse(place, "has an enum or const of more than text, booleans and safe integers");
  }
  const types = typesOf(node);
  for (const literal of literals) {
    if (types.length === 0 || types.some((type) => isOfType(type, literal))) continue;
    yield refuse(place, `allows ${JSON.stringify(literal)}, which is not of its type`);
  }
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

function* findObjectFaults(node: SchemaNode, place: SchemaPlace): Generator<FileFault> {
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

/** Number of steps after which a pattern counts as dangerous; the schemas' patterns need a few hundred. */
const MAX_STEPS = 5000;

/** Verdicts on patterns, cached: there are few patterns, each used in many places. */
const verdicts = new Map<string, string | undefined>();

/**
 * Why an ECMAScript pattern may take more than linear time, so that one text could block every generated
 * validator; undefined if it cannot. Limited by steps and not by time, so that the verdict is the same on
 * every machine.
 */
export function findBacktracking(pattern: string): string | undefined {
  if (!verdicts.has(pattern)) verdicts.set(pattern, findFault(pattern));
  return verdicts.get(pattern);
}

function findFault(pattern: string): string | undefined {
  const options = { unicode: true, maxSteps: MAX_STEPS, timeout: Number.POSITIVE_INFINITY };
  try {
    const { safe } = isSafePattern(pattern, options);
    return safe ? undefined : `can take very long on some texts: ${pattern}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return `is a pattern whose running time is unknown: ${reason}`;
  }
}

export function placeOf({ schema, pointer }: Definition): SchemaPlace {
  return { file: schema.file, pointer };
}

/** The location at the end of `path`, whose tokens are not yet escaped. */
export function below({ file, pointer }: SchemaPlace, ...path: string[]): SchemaPlace {
  return { file, pointer: [pointer, ...path.map(toPointerToken)].join("/") };
}

/** Reports that a location is outside of the profile. */
export function refuse({ file, pointer }: SchemaPlace, message: string, id = "profile"): FileFault {
  return new FileFault({
    id,
    file,
    pointer,
    message: `${message} (outside the profile that every generator supports)`,
  });
}
