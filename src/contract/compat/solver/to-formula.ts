import type { JsonObject } from "../../../base/json/value.js";
import { isAnnotation as isPlainAnnotation } from "../../schemas/keywords.js";
import { BESIDE_REFERENCE } from "../schema/dialects.js";
import { exactMemberText } from "../schema/exact-numbers.js";
import { childOf, type FormatMode, type Schema, type SchemaSet } from "../schema/schema-set.js";
import { keywords } from "./keywords/index.js";
import type { KeywordContext, Part } from "./keywords/keyword.js";
import { ALWAYS, all, any, type Formula, type Literal, NEVER } from "./logic/formula.js";

/** Whether a schema obviously accepts every value: it has nothing but annotations. */
export function isAnything(schema: Schema): boolean {
  return typeof schema === "boolean"
    ? schema
    : Object.keys(schema).every((keyword) => isAnnotation(keyword));
}

const understood = new Set(keywords.flatMap(({ names }) => names));

/** Whether a keyword may be an assertion that the solver does not know. */
export function isUnknownKeyword(keyword: string, format: FormatMode = "annotate"): boolean {
  return !understood.has(keyword) && !isAnnotation(keyword, format);
}

interface SchemaFormulas {
  readonly holds: Formula;
  readonly fails: Formula;
}

/** The formula for values that are valid, or invalid, under a schema; the same object for the same schema. */
export function formulaOf({ location, holds }: Literal): Formula {
  const { schema } = location;
  if (typeof schema === "boolean") return schema === holds ? ALWAYS : NEVER;
  const known = formulas.get(location.set) ?? new WeakMap<object, SchemaFormulas>();
  formulas.set(location.set, known);
  const found = known.get(schema) ?? createFormulas(schema, location);
  known.set(schema, found);
  return holds ? found.holds : found.fails;
}

const formulas = new WeakMap<SchemaSet, WeakMap<object, SchemaFormulas>>();

function createFormulas(schema: JsonObject, location: Literal["location"]): SchemaFormulas {
  const context: KeywordContext = {
    schema,
    location,
    at: (pointer, holds) => ({ kind: "schema", location: childOf(location, pointer), holds }),
  };
  const present = keywords.filter(({ names }) => names.some((name) => Object.hasOwn(schema, name)));
  const parts = [
    ...present.flatMap((keyword) => keyword.parts(context)),
    ...unknownKeywords(schema, location.set.format).map((keyword) => toOpaque(schema, keyword)),
  ];
  return {
    holds: all(...parts.map((part) => toLiteral(part, true))),
    fails: any(...parts.map((part) => toLiteral(part, false))),
  };
}

function unknownKeywords(schema: JsonObject, format: FormatMode): string[] {
  return Object.keys(schema).filter((keyword) => isUnknownKeyword(keyword, format));
}

function toOpaque(schema: JsonObject, keyword: string): Part {
  const isUnlike = refersUnseen(keyword, schema[keyword]);
  const what = isUnlike ? undefined : exactMemberText(schema, keyword);
  const opaque: Formula = { kind: "opaque", keyword, what };
  return { holds: opaque, fails: opaque };
}

function toLiteral({ holds: demand, fails }: Part, holds: boolean): Formula {
  return { kind: "part", demand, holds, is: holds ? demand : fails };
}

/** Keywords that only name or contain schemas. */
const SILENT = new Set([
  "$anchor",
  "$defs",
  // Matters only to a `$dynamicRef`.
  "$dynamicAnchor",
  "$id",
  "$schema",
  "$vocabulary",
  "definitions",
]);

/** Whether a keyword changes no verdict of draft 2020-12 by itself, whatever its value. */
export function isAnnotation(keyword: string, format: FormatMode = "annotate"): boolean {
  if (keyword === "format") return format === "annotate";
  return SILENT.has(keyword) || isPlainAnnotation(keyword);
}

/**
 * Whether a keyword refers to schemas in a way that only Ajv knows, so that its meaning depends on more than its
 * value.
 */
export function refersUnseen(keyword: string, value: unknown): boolean {
  const mayRefer = keyword === "dependencies" || keyword === BESIDE_REFERENCE;
  return mayRefer && JSON.stringify(value).includes('"$ref"');
}
