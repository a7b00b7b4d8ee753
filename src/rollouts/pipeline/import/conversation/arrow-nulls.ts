import type { ToolDefinition } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { RowMessage } from "./dialects.js";
import type { RowIssues } from "./issues.js";

/*
 * Arrow, and so `datasets`, gives all rows of a column the same fields: every function's arguments and parameters get
 * those of all others, with null as their value. From Parquet they are read as absent fields; in JSONL they are still there.
 */

/** Keywords whose value is data, not a schema. Null is a value of the first two. */
const NULL_KEYWORDS: readonly string[] = ["default", "const"];
const DATA_KEYWORDS: readonly string[] = [...NULL_KEYWORDS, "enum", "examples"];
/** Keywords whose keys are names. */
const NAME_KEYWORDS: readonly string[] = [
  ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"],
];

/** A schema without the nulls that Arrow added. No keyword but `default` and `const` can be null. */
export function withoutSchemaNulls(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema)
    .filter(([key, value]) => value !== null || NULL_KEYWORDS.includes(key))
    .map(([key, value]) => [key, DATA_KEYWORDS.includes(key) ? value : cleanKeyword(key, value)]);
  return Object.fromEntries(entries);
}

function cleanKeyword(key: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => (isJsonObject(each) ? withoutSchemaNulls(each) : each));
  }
  if (!isJsonObject(value)) return value;
  if (!NAME_KEYWORDS.includes(key)) return withoutSchemaNulls(value);
  const schemas = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    schemas.map(([name, each]) => [name, isJsonObject(each) ? withoutSchemaNulls(each) : each]),
  );
}

/**
 * Messages whose calls have no null arguments but those that their tools allow. Nothing is changed if the calls have
 * different keys, because then they were no column of Arrow's. Arguments that were a text are the agent's own.
 */
export function withoutNullArguments(
  messages: readonly RowMessage[],
  tools: readonly ToolDefinition[] | undefined,
  issues: RowIssues,
): readonly RowMessage[] {
  const calls = messages.flatMap((message) => message.calls);
  const keys = calls.map(({ args, isText }) =>
    isText || typeof args === "string" ? undefined : Object.keys(args).toSorted().join("\0"),
  );
  const [first] = keys;
  if (first === undefined || keys.some((each) => each !== first)) return messages;
  const schemas = new Map(tools?.map(({ function: { name, parameters } }) => [name, parameters]));
  const counter = { removed: 0 };
  const cleaned = messages.map((message) => ({
    ...message,
    calls: message.calls.map((call) =>
      typeof call.args === "string"
        ? call
        : { ...call, args: cleanObject(call.args, schemas.get(call.name), counter) },
    ),
  }));
  if (counter.removed === 0) return messages;
  issues.tally.change("null-argument", counter.removed);
  return cleaned;
}

function cleanObject(
  object: JsonObject,
  schema: unknown,
  counter: { removed: number },
): JsonObject {
  const properties =
    isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  const schemaOf = (key: string): unknown =>
    Object.hasOwn(properties, key) ? properties[key] : undefined;
  const kept = Object.entries(object).filter(
    ([key, value]) => value !== null || allowsNull(schemaOf(key)),
  );
  counter.removed += Object.keys(object).length - kept.length;
  return Object.fromEntries(
    kept.map(([key, value]) => [key, cleanValue(value, schemaOf(key), counter)]),
  );
}

function cleanValue(value: unknown, schema: unknown, counter: { removed: number }): unknown {
  if (isJsonObject(value)) return cleanObject(value, schema, counter);
  if (!Array.isArray(value)) return value;
  const items = isJsonObject(schema) ? schema.items : undefined;
  return value.map((each) => cleanValue(each, items, counter));
}

/** Keywords that say which values are allowed. */
const ANY_OF = ["anyOf", "oneOf"] as const;

/** Tells whether a declared parameter may be null. */
function allowsNull(schema: unknown): boolean {
  if (!isJsonObject(schema)) return schema === true;
  const { type, nullable, enum: values } = schema;
  if (nullable === true || Object.hasOwn(schema, "$ref")) return true;
  if (Array.isArray(values)) return values.includes(null);
  if (type !== undefined) return type === "null" || (Array.isArray(type) && type.includes("null"));
  const choices = ANY_OF.flatMap((key) => (Array.isArray(schema[key]) ? [schema[key]] : []));
  if (choices.length > 0) return choices.every((schemas) => schemas.some(allowsNull));
  return !Object.hasOwn(schema, "const") || schema.const === null;
}
