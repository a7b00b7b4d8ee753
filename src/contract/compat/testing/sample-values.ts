import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import type { Types } from "./lay-out.js";

/** A number in [0, 1). */
export type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SCALARS: readonly unknown[] = [
  ...[null, true, false, 0, 1, 2, 3, 4, -1, -2, 0.5, 1.5, 2.5, 1e9],
  ...["", "a", "b", "c", "ab", "ba", "abc", "abcd", "zz"],
];

const PROPERTIES = ["a", "b", "c", "kind", "extra"];

/** How deep a value follows references. */
const MAX_DEPTH = 4;

/** A value that is probably valid under a schema of these types: it follows the keywords but not all at once. */
export function sampleValue(
  schema: unknown,
  types: Types,
  random: Random,
  depth = MAX_DEPTH,
): unknown {
  const next = (child: unknown): unknown => sampleValue(child, types, random, depth - 1);
  if (!isJsonObject(schema) || depth < 0) return pick(SCALARS, random);
  if (typeof schema.$ref === "string" && random() < 0.9) return next(types[schema.$ref]);
  if (Object.hasOwn(schema, "const")) return schema.const;
  if (Array.isArray(schema.enum)) return pick(schema.enum, random);
  const union = schema.anyOf ?? schema.oneOf;
  const chosen = Array.isArray(union) ? pick(union, random) : undefined;
  if (schema.properties === undefined && schema.items === undefined && isJsonObject(chosen)) {
    return next(chosen);
  }
  switch (typeOf(schema, random)) {
    case "object":
      return sampleObject({ ...schema, ...properties(schema, chosen, random) }, random, next);
    case "array":
      return sampleArray(schema, random, next);
    case "string":
      return pick(["", "a", "b", "ab", "abc", "aab", "ba", "zzzz"], random);
    case "integer":
    case "number":
      return pick([...limitsOf(schema), 0, 1, 2, 3, 0.5, 1.5, -1], random);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    default:
      return pick(SCALARS, random);
  }
}

/** Properties of the schema and of one of its branches. */
function properties(schema: JsonObject, chosen: unknown, random: Random): JsonObject {
  const branches = [chosen, random() < 0.5 ? schema.then : schema.else].filter(isJsonObject);
  const declared = branches.map((branch) => Object(branch.properties));
  const required = [schema, ...branches].flatMap((branch) =>
    Array.isArray(branch.required) ? branch.required : [],
  );
  return { properties: Object.assign({}, ...declared, schema.properties), required };
}

function typeOf({ type, properties: declared, items }: JsonObject, random: Random): unknown {
  if (Array.isArray(type)) return pick(type, random);
  if (type !== undefined) return type;
  if (declared !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

function limitsOf(schema: JsonObject): number[] {
  const limits = [schema.minimum, schema.maximum, schema.exclusiveMinimum];
  return limits.flatMap((limit) =>
    typeof limit === "number" ? [limit, limit - 1, limit + 1, limit + 0.5] : [],
  );
}

function sampleObject(
  schema: JsonObject,
  random: Random,
  next: (child: unknown) => unknown,
): JsonObject {
  const declared: JsonObject = Object(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const share = random();
  const names = new Set([
    ...required,
    ...Object.keys(declared).filter(() => random() < share),
    ...PROPERTIES.filter(() => random() < (schema.additionalProperties === false ? 0.02 : 0.15)),
  ]);
  const entries = [...names].map((name) => [
    name,
    Object.hasOwn(declared, name) ? next(declared[name]) : next(schema.additionalProperties),
  ]);
  return Object.fromEntries(entries);
}

function sampleArray(schema: JsonObject, random: Random, next: (child: unknown) => unknown) {
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const length = Math.max(Number(schema.minItems ?? 0), Math.floor(random() * 4));
  return Array.from({ length }, (_, index) => next(prefix[index] ?? schema.items));
}

/** The value with one change: a property or item more, less, or different. */
export function mutateValue(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    const index = Math.floor(random() * (value.length + 1));
    if (random() < 0.3) return value.toSpliced(index, 1);
    return value.toSpliced(index, random() < 0.5 ? 1 : 0, mutateValue(value[index], random));
  }
  if (!isJsonObject(value)) return pick(SCALARS, random);
  const name = pick(random() < 0.6 ? Object.keys(value) : PROPERTIES, random) ?? "a";
  const { [name]: old, ...rest } = value;
  return random() < 0.3 ? rest : { ...rest, [name]: mutateValue(old, random) };
}

export function pick<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[Math.floor(random() * items.length)];
}
