import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { IN_PLACE_APPLICATORS } from "../../schemas/keywords.js";
import type { Schema } from "../schema/schema-set.js";
import { subschemas } from "../schema/schema-set.js";

/** Ajv 8.20 skips this name in `properties` and `patternProperties`. */
const SKIPPED = "__proto__";

/** Keyword that counts how often references are followed. */
export const STEP = "rollout-wire:step";

/** Beside these, `unevaluatedProperties` may apply to fewer properties than `additionalProperties`. */
const IN_PLACE = ["$ref", "$dynamicRef", "additionalProperties", ...IN_PLACE_APPLICATORS];

/**
 * An equivalent schema for which Ajv gives the right verdicts; the same object if nothing differs. Schemas for the name
 * `__proto__` are repeated under a pattern that Ajv does not skip. `unevaluatedProperties` becomes `additionalProperties`
 * where both mean the same, because Ajv compiles the former to one comparison for each property, in an expression that
 * V8 cannot parse if it is long. References are counted, because schemas that refer to each other several times may take
 * exponentially long.
 */
export function toAjvDialect(schema: Schema): Schema {
  if (typeof schema === "boolean") return schema;
  const converted = convert(schema);
  if (converted !== schema) originals.set(converted, schema);
  return converted;
}

/** The same for a document that was added under `uri`. Ajv does not resolve its `$id` against that. */
export function toAjvDocument(document: Schema, uri: string): Schema {
  const converted = toAjvDialect(document);
  if (typeof converted === "boolean" || typeof converted.$id !== "string") return converted;
  if (!URL.canParse(converted.$id, uri) || URL.canParse(converted.$id)) return converted;
  const named = { ...converted, $id: new URL(converted.$id, uri).href };
  originals.set(named, originalOf(converted));
  return named;
}

const originals = new WeakMap<object, JsonObject>();

/** The schema from which `toAjvDialect` made this one. */
export function originalOf(schema: JsonObject): JsonObject {
  return originals.get(schema) ?? schema;
}

function convert(schema: JsonObject): JsonObject {
  const changed = new Map<string, unknown>();
  const current = (keyword: string): unknown => changed.get(keyword) ?? schema[keyword];
  for (const [, child, keyword, name] of subschemas(schema)) {
    const converted = toAjvDialect(child);
    if (converted === child) continue;
    if (name === undefined) {
      changed.set(keyword, converted);
      continue;
    }
    if (!changed.has(keyword)) changed.set(keyword, copyMembers(schema[keyword]));
    Object.defineProperty(changed.get(keyword), name, { value: converted });
  }
  const patterns = withSkippedNames(current("properties"), current("patternProperties"));
  if (patterns !== undefined) changed.set("patternProperties", patterns);
  if (schema.$ref !== undefined || schema.$dynamicRef !== undefined) changed.set(STEP, true);
  const isPlain =
    schema.unevaluatedProperties !== undefined &&
    !IN_PLACE.some((keyword) => Object.hasOwn(schema, keyword));
  if (changed.size === 0 && !isPlain) return schema;
  const { unevaluatedProperties, ...converted } = { ...schema, ...Object.fromEntries(changed) };
  if (unevaluatedProperties === undefined) return converted;
  return isPlain
    ? { ...converted, additionalProperties: unevaluatedProperties }
    : { ...converted, unevaluatedProperties };
}

/** A shallow copy of an object or array. */
function copyMembers(members: unknown): object {
  return Array.isArray(members) ? [...members] : { ...Object(members) };
}

/** `patternProperties` with what Ajv would skip; undefined if that is nothing. */
function withSkippedNames(properties: unknown, patterns: unknown): JsonObject | undefined {
  const skipped = [
    ["^__proto__$", properties],
    ["(?:__proto__)", patterns],
  ].flatMap(([pattern, members]): [string, unknown][] =>
    isJsonObject(members) && Object.hasOwn(members, SKIPPED)
      ? [[String(pattern), members[SKIPPED]]]
      : [],
  );
  if (skipped.length === 0) return undefined;
  const named = new Map(Object.entries(isJsonObject(patterns) ? patterns : {}));
  for (const [pattern, schema] of skipped) {
    let free = pattern;
    while (named.has(free)) free = `(?:${free})`;
    named.set(free, schema);
  }
  return Object.fromEntries(named);
}
