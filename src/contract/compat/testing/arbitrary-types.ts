import fc from "fast-check";
import type { JsonObject } from "../../../base/json/value.js";
import type { Types } from "./lay-out.js";

const property = fc.constantFrom("a", "b", "c", "kind");
/** The names of types. */
export const NAMES = ["A", "B", "C", "D"];
const small = fc.integer({ min: 0, max: 3 });

function record(fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) {
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

function byName(values: fc.Arbitrary<unknown>, maxKeys = 3) {
  return fc.dictionary(property, values, { maxKeys, noNullPrototype: true });
}

export const leaf = fc.oneof(
  record({ type: fc.constantFrom("string", "integer", "number", "boolean", "null") }, ["type"]),
  record({ type: fc.constantFrom(["string", "null"], ["integer", "string"]) }, ["type"]),
  record({ type: fc.constant("string"), minLength: small, maxLength: small }, ["type"]),
  record({ type: fc.constant("string"), pattern: fc.constantFrom("^a", "b$", "^[ab]+$") }, [
    "type",
  ]),
  record({
    type: fc.constantFrom("integer", "number"),
    minimum: fc.constantFrom(-1, 0, 0.5, 1),
    maximum: fc.constantFrom(1, 1.5, 2, 3),
    exclusiveMinimum: fc.constantFrom(0, 1),
    multipleOf: fc.constantFrom(1, 2, 0.5),
  }),
  record({ const: fc.constantFrom<unknown>("a", "b", 1, null, true) }, ["const"]),
  record({ enum: fc.constantFrom<unknown>(["a", "b"], ["a", "b", "c"], [1, 2], ["a", null]) }, [
    "enum",
  ]),
  fc.constantFrom({}, { not: { type: "string" } }),
);

/** Places inside a type: references here consume a value, so that none recurses forever. */
export const { object, inner } = fc.letrec<{ object: JsonObject; inner: unknown }>((tie) => {
  const schema = tie("inner");
  const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
  const array = {
    type: fc.constant("array"),
    items: schema,
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
  };
  const branch = record({ properties: byName(leaf, 2), required: fc.subarray(["a", "b"]) });
  return {
    object: fc
      .record(
        {
          type: fc.constant("object"),
          properties: byName(schema),
          required: fc.uniqueArray(property, { maxLength: 2 }),
          additionalProperties: fc.oneof(
            { weight: 3, arbitrary: fc.constant(false) },
            { weight: 1, arbitrary: schema },
          ),
          patternProperties: record({ "^[ab]$": schema }),
          minProperties: small,
          dependentRequired: fc.constantFrom({ a: ["b"] }, { b: ["c"] }),
          if: branch,
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: branch,
          else: branch,
          anyOf: fc.array(branch, { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(branch, { minLength: 1, maxLength: 2 }),
          title: fc.constantFrom("One", "Two"),
        },
        { requiredKeys: ["type", "properties"], noNullPrototype: true },
      )
      .chain((full) => dropSome(full, ["type", "properties", "required", "additionalProperties"])),
    inner: fc.oneof(
      { depthSize: "small" },
      { weight: 4, arbitrary: leaf },
      { weight: 2, arbitrary: fc.constantFrom(...NAMES).map(($ref) => ({ $ref })) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(...NAMES), leaf)
          .map(([$ref, beside]) => ({ ...beside, $ref })),
      },
      { weight: 2, arbitrary: tie("object") },
      { weight: 1, arbitrary: record(array, ["type"]) },
      { weight: 1, arbitrary: record({ ...array, prefixItems: schemas }, ["type", "prefixItems"]) },
      { weight: 1, arbitrary: record({ anyOf: schemas }, ["anyOf"]) },
      { weight: 1, arbitrary: record({ oneOf: schemas }, ["oneOf"]) },
    ),
  };
});

/** Most objects have few of the rarer keywords. */
function dropSome(schema: object, usual: readonly string[]): fc.Arbitrary<JsonObject> {
  const rare = Object.keys(schema).filter((keyword) => !usual.includes(keyword));
  return fc.subarray(rare, { maxLength: Math.min(1, rare.length) }).map((kept) => {
    const entries = Object.entries(schema).filter(
      ([keyword]) => usual.includes(keyword) || kept.includes(keyword),
    );
    return Object.fromEntries(entries);
  });
}

/** A type: mostly a tagged object; else any object, or another name for the next type. */
export const typeSchema: fc.Arbitrary<JsonObject> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(object, fc.constantFrom("a", "b", "c")).map(([schema, tag]) => ({
      ...schema,
      properties: { ...Object(schema.properties), kind: { const: tag } },
      required: [...new Set([...toList(schema.required), "kind"])],
    })),
  },
  { weight: 3, arbitrary: object },
  { weight: 1, arbitrary: leaf.map((schema): JsonObject => ({ ...schema })) },
);

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export const types: fc.Arbitrary<Types> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), ...NAMES.map(() => typeSchema))
  .map(([count, ...schemas]) => {
    const named = NAMES.slice(0, count).map((name, index) => [name, schemas[index] ?? {}] as const);
    return normalise(Object.fromEntries(named));
  });

/** JSON without shared objects, in which every reference leads to a type that exists. */
export function normalise(given: Types): Types {
  const names = Object.keys(given);
  return JSON.parse(JSON.stringify(given), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" && !names.includes(value) ? names[0] : value,
  );
}
