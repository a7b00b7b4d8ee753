import type { FormatUse } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { memoize } from "../../../base/memoize.js";
import { childOf, HOLE } from "../schema/schema-set.js";
import type { Schema } from "../schema/subschemas.js";
import { keywords } from "./keywords/index.js";
import type { KeywordContext, Part } from "./keywords/keyword.js";
import { ALWAYS, all, any, type Formula, type Literal, NEVER } from "./logic/formula.js";

/** Whether a schema obviously accepts every value: it has nothing but annotations. */
export function isAnything(schema: Schema): boolean {
  return typeof schema === "boolean"
    ? schema
    : Object.keys(schema).every((keyword) => isAnnotation(keyword));
}

const understood = new Set([HOLE, ...keywords.flatMap(({ names }) => names)]);

interface SchemaFormulas {
  readonly holds: Formula;
  readonly fails: Formula;
}

/** The formula for values that are valid, or invalid, under a schema; the same object for the same schema. */
export function formulaOf({ location, holds }: Literal): Formula {
  const { schema } = location;
  if (typeof schema === "boolean") return schema === holds ? ALWAYS : NEVER;
  return holds ? formulasOf(location).holds : formulasOf(location).fails;
}

const formulasOf = memoize((location: Literal["location"]): SchemaFormulas => {
  const schema: JsonObject = Object(location.schema);
  const context: KeywordContext = {
    schema,
    location,
    at: (pointer, holds) => ({ kind: "schema", location: childOf(location, pointer), holds }),
  };
  const present = keywords.filter(({ names }) => names.some((name) => Object.hasOwn(schema, name)));
  const parts = present.flatMap((keyword) => keyword.parts(context));
  return {
    holds: all(...parts.map((part) => toLiteral(part, true))),
    fails: any(...parts.map((part) => toLiteral(part, false))),
  };
});

function toLiteral({ holds: demand, fails }: Part, holds: boolean): Formula {
  return { kind: "part", demand, holds, is: holds ? demand : fails };
}

/** Whether a keyword changes no verdict by itself, whatever its value: an annotation, a name, or one that nobody knows. */
export function isAnnotation(keyword: string, format: FormatUse = "annotate"): boolean {
  if (keyword === "format") return format === "annotate";
  return !understood.has(keyword);
}

/** Whether a schema is a reference to another one, and constrains nothing itself. */
export function isPlainReference(
  schema: unknown,
  format: FormatUse,
): schema is JsonObject & { readonly $ref: string } {
  if (!isJsonObject(schema) || typeof schema.$ref !== "string") return false;
  return Object.keys(schema).every((each) => each === "$ref" || isAnnotation(each, format));
}
