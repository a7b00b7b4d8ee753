import canonicalize from "canonicalize";
import type { JsonObject } from "../../json/value.js";
import { isAnnotation as isPlainAnnotation } from "../../schemas/keywords.js";
import { childOf, type FormatMode, type Schema, type SchemaSet } from "../schema/schema-set.js";
import { ALWAYS, all, any, type Formula, type Literal, NEVER } from "./formula.js";
import { keywords } from "./keywords/index.js";
import type { KeywordContext, Part } from "./keywords/keyword.js";

/** Whether every value is valid under a schema, as its keywords tell at once. */
export function isAnything(schema: Schema): boolean {
  return typeof schema === "boolean"
    ? schema
    : Object.keys(schema).every((keyword) => isAnnotation(keyword));
}

const understood = new Set(keywords.flatMap(({ names }) => names));

/** Whether a keyword may mean something that nobody here knows. */
export function isUnknownKeyword(keyword: string, format: FormatMode = "annotate"): boolean {
  return !understood.has(keyword) && !isAnnotation(keyword, format);
}

interface Meaning {
  readonly holds: Formula;
  readonly fails: Formula;
}

/** What it means for a value that a schema holds, or that it does not; the same object for the same schema. */
export function formulaOf({ location, holds }: Literal): Formula {
  const { schema } = location;
  if (typeof schema === "boolean") return schema === holds ? ALWAYS : NEVER;
  const known = meanings.get(location.set) ?? new WeakMap<object, Meaning>();
  meanings.set(location.set, known);
  const meaning = known.get(schema) ?? makeMeaning(schema, location);
  known.set(schema, meaning);
  return holds ? meaning.holds : meaning.fails;
}

const meanings = new WeakMap<SchemaSet, WeakMap<object, Meaning>>();

function makeMeaning(schema: JsonObject, location: Literal["location"]): Meaning {
  const context: KeywordContext = {
    schema,
    location,
    at: (pointer, holds) => ({ kind: "schema", location: childOf(location, pointer), holds }),
  };
  const present = keywords.filter(({ names }) => names.some((name) => Object.hasOwn(schema, name)));
  const parts = [
    ...present.flatMap((keyword) => keyword.parts(context)),
    ...unknownKeywords(schema, location.set.format).map(toOpaque),
  ];
  return {
    holds: all(...parts.map((part) => toLiteral(part, true))),
    fails: any(...parts.map((part) => toLiteral(part, false))),
  };
}

function unknownKeywords(schema: JsonObject, format: FormatMode): [string, unknown][] {
  return Object.entries(schema).filter(([keyword]) => isUnknownKeyword(keyword, format));
}

function toOpaque([keyword, value]: readonly [string, unknown]): Part {
  const what = refersUnseen(keyword, value) ? undefined : canonicalize(value);
  const opaque: Formula = { kind: "opaque", keyword, what };
  return { holds: opaque, fails: opaque };
}

function toLiteral({ holds: demand, fails }: Part, holds: boolean): Formula {
  return { kind: "part", demand, holds, is: holds ? demand : fails };
}

/** Keywords that name and hold. */
const SILENT = new Set([
  "$anchor",
  "$defs",
  // Means something to a `$dynamicRef` alone.
  "$dynamicAnchor",
  "$id",
  "$schema",
  "$vocabulary",
  "definitions",
]);

/** Whether a keyword by itself changes no verdict of draft 2020-12, whatever its value. */
export function isAnnotation(keyword: string, format: FormatMode = "annotate"): boolean {
  if (keyword === "format") return format === "annotate";
  return SILENT.has(keyword) || isPlainAnnotation(keyword);
}

/**
 * Whether a keyword refers to schemas in a way that draft 2020-12 does not know and Ajv does: what it says depends on
 * more than its value.
 */
export function refersUnseen(keyword: string, value: unknown): boolean {
  return keyword === "dependencies" && JSON.stringify(value).includes('"$ref"');
}
