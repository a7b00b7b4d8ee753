import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { IN_PLACE_APPLICATORS } from "../../schemas/keywords.js";
import type { SchemaLocation } from "../schema/schema-set.js";
import type { Schema } from "../schema/subschemas.js";
import { convertSubschemas } from "../schema/walks.js";
import { isAnnotation } from "../solver/to-formula.js";

/** Ajv 8.20 skips this name in `properties` and `patternProperties`. */
const SKIPPED = "__proto__";

/** Keyword that counts how often references are followed. */
export const STEP = "rollout-wire:step";

/** Beside these, `unevaluatedProperties` may apply to fewer properties than `additionalProperties`. */
const IN_PLACE = ["$ref", "additionalProperties", ...IN_PLACE_APPLICATORS];

/** The schemas that normal forms were made of. */
const originals = new WeakMap<object, SchemaLocation>();

/** The schema of which this is the normal form, or a part of it; undefined if it is none. */
export function originalOf(normal: object): SchemaLocation | undefined {
  return originals.get(normal);
}

/**
 * An equivalent schema of which Ajv gives the right verdict. It has no annotations, names, anchors or definitions: each
 * reference names a document, whose URI `refer` returns. Schemas for the name `__proto__` are repeated under a pattern
 * that Ajv does not skip. `unevaluatedProperties` becomes `additionalProperties` where both mean the same. References are
 * counted, because schemas that refer to each other several times may take exponentially long.
 */
export function toNormalForm(
  location: SchemaLocation,
  refer: (target: SchemaLocation) => string,
): Schema {
  const { schema, set } = location;
  if (typeof schema === "boolean") return schema;
  const normal = convertSubschemas(
    location,
    (keyword) => isAnnotation(keyword, set.format),
    (_, child) => toNormalForm(child, refer),
  );
  const patterns = withSkippedNames(normal);
  if (patterns !== undefined) normal.patternProperties = patterns;
  if (typeof schema.$ref === "string") {
    normal.$ref = refer(set.resolve(location, schema.$ref));
    normal[STEP] = true;
  }
  const isPlain = !IN_PLACE.some((keyword) => Object.hasOwn(normal, keyword));
  if (isPlain && normal.unevaluatedProperties !== undefined) {
    normal.additionalProperties = normal.unevaluatedProperties;
    delete normal.unevaluatedProperties;
  }
  if (normal.contains !== undefined && normal.prefixItems !== undefined) {
    separateContains(normal, location);
  }
  originals.set(normal, location);
  return normal;
}

/** Ajv 8.20 accepts `[]` where `contains` stands beside `prefixItems`. */
function separateContains(normal: { [keyword: string]: unknown }, location: SchemaLocation): void {
  const names = ["contains", "minContains", "maxContains"].filter((name) => name in normal);
  const alone = Object.fromEntries(names.map((name) => [name, normal[name]]));
  originals.set(alone, location);
  normal.allOf = [...(Array.isArray(normal.allOf) ? normal.allOf : []), alone];
  for (const name of names) delete normal[name];
}

/** `patternProperties` with what Ajv would skip; undefined if that is nothing. */
function withSkippedNames({ properties, patternProperties }: JsonObject): JsonObject | undefined {
  const skipped = [
    ["^__proto__$", properties],
    ["(?:__proto__)", patternProperties],
  ].flatMap(([pattern, members]): [string, unknown][] =>
    isJsonObject(members) && Object.hasOwn(members, SKIPPED)
      ? [[String(pattern), members[SKIPPED]]]
      : [],
  );
  if (skipped.length === 0) return undefined;
  const named = new Map(Object.entries(isJsonObject(patternProperties) ? patternProperties : {}));
  for (const [pattern, schema] of skipped) {
    let free = pattern;
    while (named.has(free)) free = `(?:${free})`;
    named.set(free, schema);
  }
  return Object.fromEntries(named);
}
