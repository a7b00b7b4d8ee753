import fc from "fast-check";
import type { Schema } from "../subschemas.js";

const name = fc.constantFrom("a", "b", "c", "x_1");
const pattern = fc.constantFrom("^a", "b$", "^[a-c]+$", "^.$", "^a|b");
const small = fc.integer({ min: 0, max: 3 });

function record(fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) {
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

function byName(keys: fc.Arbitrary<string>, values: fc.Arbitrary<unknown>, maxKeys: number) {
  return fc.dictionary(keys, values, { maxKeys, noNullPrototype: true });
}

/** JSON values such as the schemas below are about. */
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

/**
 * JSON Schemas of all keywords that the solver understands, but `$ref`. `prefixItems` and `contains` do not
 * stand together: Ajv 8.20 takes [] for valid then.
 */
export const arbitrarySchema: fc.Arbitrary<Schema> = fc
  .letrec<{ schema: unknown }>((tie) => {
    const schema = tie("schema");
    const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
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
          type: fc.constantFrom("object", ["object", "null"]),
          properties: byName(name, schema, 2),
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: schema,
          patternProperties: byName(pattern, schema, 1),
          minProperties: small,
          maxProperties: small,
          propertyNames: fc.constantFrom<unknown>({ maxLength: 1 }, { enum: ["a", "b"] }, true),
          dependentRequired: fc.constantFrom({ a: ["b"] }, { b: ["a", "c"] }),
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
        record({ ...ofArrays, prefixItems: schemas }),
        record({ ...ofArrays, contains: schema, minContains: small, maxContains: small }),
        record({ enum: fc.array(arbitraryValue, { minLength: 1, maxLength: 3 }) }, ["enum"]),
        record({ const: arbitraryValue }, ["const"]),
        record({ anyOf: schemas }, ["anyOf"]),
        record({ oneOf: schemas }, ["oneOf"]),
        record({ allOf: schemas, unevaluatedProperties: fc.boolean() }, ["allOf"]),
        record({ not: schema }, ["not"]),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        record({ if: schema, then: schema, else: schema }, ["if"]),
      ),
    };
  })
  .schema.map((schema) => JSON.parse(JSON.stringify(schema)));
