import type { JsonObject } from "../../../base/json/value.js";
import { exactNumber, holdsInexact } from "../../compat/schema/exact-numbers.js";
import {
  childOf,
  HOLE,
  LEAVES_UNEVALUATED,
  type SchemaLocation,
  WRITTEN_WHOLE,
} from "../../compat/schema/schema-set.js";
import { isSchema, type Schema, subschemas } from "../../compat/schema/subschemas.js";
import { findEvaluated } from "../../compat/solver/keywords/evaluated.js";
import { ANNOTATIONS, DEFINITION_KEYWORDS, IN_PLACE_APPLICATORS } from "../../schemas/keywords.js";
import type { SchemaNode } from "../../schemas/nodes.js";

/** Keywords of a node, besides annotations. */
export const CONSTRAINTS: ReadonlySet<string> = new Set(
  (
    "$ref type enum const allOf anyOf oneOf not if then else " +
    "properties patternProperties additionalProperties propertyNames required minProperties maxProperties " +
    "dependentRequired dependentSchemas " +
    "items prefixItems contains minContains maxContains minItems maxItems uniqueItems " +
    "minLength maxLength pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum"
  ).split(" "),
);

/** Whether a schema says anything of values, besides what some of its keywords say. */
export function constrains(schema: Schema, except: readonly string[] = []): boolean {
  const keywords = Object.keys(toPlain(schema)).filter((each) => !except.includes(each));
  return keywords.some((each) => CONSTRAINTS.has(each) || each.startsWith("unevaluated"));
}

/** Keywords that name or hold schemas, or that the rest of the node replaces. */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...["$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$comment", "contentSchema"],
  ...DEFINITION_KEYWORDS,
  ...["unevaluatedProperties", "unevaluatedItems", LEAVES_UNEVALUATED, WRITTEN_WHOLE, HOLE],
]);

/** A keyword that stands apart, for a fault or a lint. */
export interface FoundKeyword {
  readonly location: SchemaLocation;
  readonly keyword: string;
  readonly message: string;
}

/** What a schema is converted with. */
export interface Conversion {
  /** The name of the definition that a reference leads to; undefined if it leads nowhere. */
  refer(target: SchemaLocation): string | undefined;
  /** Whether `format` is an assertion in this schema. */
  assertsFormat(location: SchemaLocation): boolean;
  /** Called for each node. */
  enter(node: SchemaNode, location: SchemaLocation): void;
  /** Called for what no node can say. */
  refuse(found: FoundKeyword): void;
  /** Called for a keyword without any meaning. */
  ignore(found: FoundKeyword): void;
}

/**
 * The node of a schema, in the normal form of `SchemaNode`: only keywords of draft 2020-12 that have a meaning, and
 * annotations. `format` becomes the annotation `x-format` where it is no assertion.
 */
export function toNode(location: SchemaLocation, conversion: Conversion): SchemaNode {
  const { schema, set } = location;
  const children = new Map(subschemas(schema).map(([at]) => [at, childOf(location, at)]));
  const convert = (at: string): SchemaNode => {
    const child = children.get(at);
    if (child === undefined) throw new RangeError(`no schema at ${location.uri}#${at}`);
    return toNode(child, conversion);
  };
  const node: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(toPlain(schema))) {
    if (STRUCTURE.has(keyword)) continue;
    if (keyword === "$ref") {
      const name = conversion.refer(set.resolve(location, String(value)));
      if (name !== undefined) node.$ref = name;
    } else if (keyword === "format" && !conversion.assertsFormat(location))
      node["x-format"] = value;
    else if (isKept(keyword)) node[keyword] = toValue(keyword, value, location, convert);
    else conversion.ignore({ location, keyword, message: "is a keyword without any meaning" });
  }
  closeUnevaluated(node, location, convert, conversion);
  dropIdle(node);
  for (const keyword of ["enum", "const"]) {
    const isExact = exactNumber(Object(schema), keyword) === undefined;
    if (node[keyword] === undefined || (isExact && !holdsInexact(node[keyword]))) continue;
    const message = "holds a number that no double holds: TypeScript would compare another one";
    conversion.refuse({ location, keyword, message });
  }
  conversion.enter(node, location);
  return node;
}

function toPlain(schema: Schema): JsonObject {
  if (typeof schema !== "boolean") return schema;
  return schema ? {} : { not: {} };
}

function isKept(keyword: string): boolean {
  return CONSTRAINTS.has(keyword) || ANNOTATIONS.includes(keyword) || keyword.startsWith("x-");
}

/** The value of a keyword, with the schemas in it converted. */
function toValue(
  keyword: string,
  value: unknown,
  location: SchemaLocation,
  convert: (at: string) => SchemaNode,
): unknown {
  if (keyword === "description" || keyword === "title") {
    return typeof value === "string" ? value.replaceAll(/\r\n?|[\u2028\u2029]/g, "\n") : value;
  }
  if (keyword === "pattern") return toUnicodePattern(String(value));
  // `true` says as little as no schema, but a reader of a closed object looks for it.
  if (keyword === "additionalProperties" && typeof value === "boolean") return value;
  const own = subschemas(location.schema).filter(([, , each]) => each === keyword);
  const [first] = own;
  if (first === undefined) return value;
  if (first[3] === undefined) return convert(first[0]);
  const members = own.map(([at, , , name = ""]) => [name, convert(at)] as const);
  if (Array.isArray(value)) return members.map(([, member]) => member);
  if (keyword !== "patternProperties") return Object.fromEntries(members);
  return Object.fromEntries(members.map(([name, member]) => [toUnicodePattern(name), member]));
}

/**
 * The same pattern as one with the flag `u`, which JSON Schema recommends: it allows no escape of a character that needs
 * none, such as `\-` and `\:`, which many patterns have.
 */
export function toUnicodePattern(pattern: string): string {
  if (isPattern(pattern)) return pattern;
  const plain = pattern.replaceAll(/\\(.)/gsu, (written, character: string) =>
    /[^a-zA-Z\d^$\\.*+?()[\]{}|/-]/u.test(character) ? character : written,
  );
  // A hyphen may be escaped in a class only, and needs it nowhere else.
  const parts = plain.replaceAll(/(\[(?:\\.|[^\]\\])*\])|\\-/gsu, (_, group = "-") => group);
  return isPattern(parts) ? parts : pattern;
}

/** Whether `text` is an ECMAScript pattern with the flag `u`, as JSON Schema requires. */
export function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/** Beside these, items or properties may be evaluated elsewhere. */
const IN_PLACE = ["$ref", ...IN_PLACE_APPLICATORS];

/** Keywords for what is not evaluated, the keyword that says the same where nothing else evaluates, and what it ends at. */
const UNEVALUATED = [
  ["unevaluatedProperties", "additionalProperties", "additionalProperties"],
  ["unevaluatedItems", "items", "contains"],
] as const;

/** Replaces what is said of unevaluated properties and items by what is said of additional ones, where that is the same. */
function closeUnevaluated(
  node: Record<string, unknown>,
  location: SchemaLocation,
  convert: (at: string) => SchemaNode,
  { refuse }: Conversion,
): void {
  const schema = toPlain(location.schema);
  for (const [keyword, same, other] of UNEVALUATED) {
    const value = schema[keyword];
    if (!isSchema(value) || isAnything(value) || node[same] !== undefined) continue;
    const beside = [...IN_PLACE, other].find((each) => Object.hasOwn(schema, each));
    const whole = same === "additionalProperties" ? evaluatedIn(location) : undefined;
    if (whole === "all") continue;
    if (beside !== undefined && whole !== undefined) {
      for (const [at, names] of Object.entries(whole)) {
        const nothing = names.map((name): [string, SchemaNode] => [name, {}]);
        if (nothing.length > 0) node[at] = { ...Object.fromEntries(nothing), ...Object(node[at]) };
      }
    } else if (beside !== undefined) {
      refuse({ location, keyword, message: `stands beside "${beside}": use "${same}"` });
      continue;
    }
    node[same] =
      value === false && same === "additionalProperties" ? false : convert(`/${keyword}`);
  }
}

/**
 * The properties that a schema and those beside it evaluate whenever it is valid; undefined if there may be others, or some of
 * these may be missing. Then a property that is not evaluated is one that is not among these.
 */
function evaluatedIn(
  location: SchemaLocation,
): "all" | { readonly properties: string[]; readonly patternProperties: string[] } | undefined {
  const found = findEvaluated(location, "unevaluatedProperties");
  const sure = found?.filter(({ when }) => when.length === 0) ?? [];
  const names = new Set(sure.flatMap((each) => each.names));
  const patterns = new Set(sure.flatMap((each) => each.patterns.map(toUnicodePattern)));
  if (sure.some(({ allProperties }) => allProperties)) return "all";
  const isKnown = found?.every(
    (each) =>
      !each.allProperties &&
      each.names.every((name) => names.has(name)) &&
      each.patterns.every((pattern) => patterns.has(toUnicodePattern(pattern))),
  );
  return isKnown ? { properties: [...names], patternProperties: [...patterns] } : undefined;
}

function isAnything(schema: Schema): boolean {
  return typeof schema === "boolean" ? schema : Object.keys(schema).length === 0;
}

/** Drops what has no effect without another keyword, and says `enum: []` in other words. */
function dropIdle(node: Record<string, unknown>): void {
  if (node.contains === undefined) {
    delete node.minContains;
    delete node.maxContains;
  }
  if (node.if === undefined || (node.then === undefined && node.else === undefined)) {
    delete node.if;
    delete node.then;
    delete node.else;
  }
  if (Array.isArray(node.enum) && node.enum.length === 0) {
    delete node.enum;
    const all: unknown[] = Array.isArray(node.allOf) ? node.allOf : [];
    node.allOf = [...all, { not: {} }];
  }
}
