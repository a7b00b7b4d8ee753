import fc from "fast-check";
import type { JsonObject } from "../../../base/json/value.js";
import { type Schema, subschemas } from "../schema/subschemas.js";

const name = fc.constantFrom("a", "b", "c", "x_1");
const pattern = fc.constantFrom("^a", "b$", "^[a-c]+$", "^.$", "^a|b");
const small = fc.integer({ min: 0, max: 3 });

function record(fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) {
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

function byName(keys: fc.Arbitrary<string>, values: fc.Arbitrary<unknown>, maxKeys: number) {
  return fc.dictionary(keys, values, { maxKeys, noNullPrototype: true });
}

/** JSON values that the schemas below may accept. */
export const arbitraryValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    {
      weight: 2,
      arbitrary: fc.constantFrom<unknown>(
        ...[null, true, false, 0, 1, 2, -1, 0.5, 1.5, 3],
        ...["", "a", "b", "ab", "abc", "x1"],
      ),
    },
    fc.array(tie("value"), { maxLength: 3 }),
    byName(name, tie("value"), 3),
  ),
})).value;

const CHANGES = ["merge", "drop", "replace", "widen"] as const;

/** The schema and its subschemas that are objects. */
function* objectsIn(schema: Schema): Generator<Record<string, unknown>> {
  if (typeof schema === "boolean") return;
  yield schema;
  for (const [, child] of subschemas(schema)) yield* objectsIn(child);
}

const DEFINITIONS = ["one", "two"] as const;

function to(name: (typeof DEFINITIONS)[number]): Schema {
  return { $ref: `#/$defs/${name}` };
}

/** Places for references that do not cause endless recursion on one value. */
const PLACES: readonly ((schema: Schema) => Schema)[] = [
  (schema) => ({ type: "object", properties: { a: schema }, required: ["a"] }),
  (schema) => ({ properties: { b: schema }, additionalProperties: false }),
  (schema) => ({ type: "array", items: schema }),
  (schema) => ({ type: "array", items: schema, minItems: 1 }),
  (schema) => ({ additionalProperties: schema }),
];

/**
 * JSON Schemas with all keywords that the solver knows, and recursive references.
 */
const arbitraryPart: fc.Arbitrary<JsonObject | boolean> = fc
  .letrec<{ schema: unknown }>((tie) => {
    const schema = tie("schema");
    const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
    const ofObjects = {
      type: fc.constantFrom("object", ["object", "null"]),
      properties: byName(name, schema, 2),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      additionalProperties: schema,
      patternProperties: byName(pattern, schema, 1),
      minProperties: small,
      maxProperties: small,
      propertyNames: fc.constantFrom<unknown>({ maxLength: 1 }, { enum: ["a", "b"] }, true),
      dependentRequired: fc.constantFrom({ a: ["b"] }, { b: ["a", "c"] }),
    };
    const ofArrays = {
      items: schema,
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      unevaluatedItems: schema,
    };
    return {
      schema: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom<unknown>(true, false, {}),
        record({
          type: fc.constantFrom("string", "integer", "number", "object", "array", "null", [
            "string",
            "null",
          ]),
        }),
        record({
          ...ofObjects,
          dependentSchemas: byName(name, schema, 1),
          unevaluatedProperties: schema,
        }),
        record({
          type: fc.constantFrom("string", "integer", "number", ["integer", "string"]),
          minimum: fc.constantFrom(0, 1, 2, -1, 0.5),
          maximum: fc.constantFrom(0, 1, 2, 3, 1.5),
          exclusiveMinimum: fc.constantFrom(0, 1),
          exclusiveMaximum: fc.constantFrom(1, 2),
          multipleOf: fc.constantFrom(1, 2, 0.5, 3, 0.1),
          minLength: small,
          maxLength: small,
          pattern,
        }),
        record({
          ...ofArrays,
          prefixItems: schemas,
          contains: schema,
          minContains: small,
          maxContains: small,
        }),
        record({ enum: fc.array(arbitraryValue, { minLength: 1, maxLength: 3 }) }, ["enum"]),
        record({ const: arbitraryValue }, ["const"]),
        record({ anyOf: schemas, unevaluatedItems: schema }, ["anyOf"]),
        record({ oneOf: schemas, unevaluatedProperties: schema }, ["oneOf"]),
        record({ allOf: schemas, unevaluatedProperties: fc.boolean() }, ["allOf"]),
        record({ not: schema }, ["not"]),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        record({ if: schema, then: schema, else: schema, unevaluatedProperties: schema }, ["if"]),
        fc
          .tuple(fc.constantFrom(...PLACES), fc.constantFrom(...DEFINITIONS), fc.option(schema))
          .map(([place, name, other]) =>
            place(other === null ? to(name) : { anyOf: [other, to(name)] }),
          ),
      ),
    };
  })
  .schema.map((schema) => JSON.parse(JSON.stringify(schema)));

export const arbitrarySchema: fc.Arbitrary<Schema> = fc
  .tuple(
    fc.oneof(arbitraryPart, fc.constantFrom(...DEFINITIONS).map(to)),
    arbitraryPart,
    arbitraryPart,
  )
  .map(([root, one, two]) => {
    return { ...(typeof root === "boolean" ? { allOf: [root] } : root), $defs: { one, two } };
  });

/** A schema, and the same with one change. */
const arbitraryChange: fc.Arbitrary<readonly [Schema, Schema]> = fc
  .tuple(arbitrarySchema, arbitraryPart, fc.nat(), fc.nat(), fc.constantFrom(...CHANGES))
  .map(([schema, other, place, key, change]) => {
    if (change === "widen" && typeof schema === "object") {
      const { $defs, ...root } = schema;
      return [schema, { anyOf: [root, other], $defs }];
    }
    const changed: Schema = structuredClone(schema);
    const places = [...objectsIn(changed)];
    const target = places[place % places.length];
    const keywords = Object.keys(target ?? {});
    const keyword = keywords[key % Math.max(1, keywords.length)];
    if (target !== undefined && typeof other === "object") {
      if (change === "merge") Object.assign(target, other);
      else if (keyword !== undefined && keyword !== "$defs") delete target[keyword];
      if (change === "replace" && keyword !== "$defs") Object.assign(target, other);
    }
    // Copied, because subschemas are cached by object and this one was modified.
    return [schema, structuredClone(changed)];
  });

/** Two schemas that are unrelated, or nearly equal. */
export const arbitraryPair: fc.Arbitrary<readonly [Schema, Schema]> = fc.oneof(
  { weight: 2, arbitrary: arbitraryChange },
  { weight: 1, arbitrary: fc.tuple(arbitrarySchema, arbitrarySchema) },
);
