import fc from "fast-check";
import { expect, test } from "vitest";
import { runCount } from "../../../base/testing/run-count.js";
import { validatorOf } from "../ajv/ajv.js";
import { loadVersion } from "../load-version.js";
import { type SchemaLocation, SchemaSet } from "../schema/schema-set.js";
import type { Schema } from "../schema/subschemas.js";
import { arbitrarySchema, arbitraryValue } from "../testing/arbitrary-schema.js";
import { isValid, whyUnknown } from "./evaluate.js";

function rootOf(schema: Schema): SchemaLocation {
  return new SchemaSet().add(schema, "test:/schema");
}

const values = fc
  .sample(arbitraryValue, { seed: 1, numRuns: 60 })
  .flatMap((value) => [value, { a: value, c: value }, { b: value, x_1: [{ a: value }, 1] }]);

test("Ajv, given the normal form, agrees on every value", () => {
  const counts = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(arbitrarySchema, (schema) => {
      const root = rootOf(schema);
      const ajv = validatorOf(root);
      expect(ajv.problem).toBe(undefined);
      const verdicts = values.map((value) => isValid(root, value));
      expect(values.filter((value, at) => ajv.isValid(value) !== verdicts[at])).toEqual([]);
      for (const verdict of verdicts)
        if (verdict !== undefined) counts[verdict ? "valid" : "invalid"] += 1;
    }),
    { seed: 1, numRuns: runCount(150) },
  );
  expect(counts.valid).toBeGreaterThan(runCount(150) * 30);
  expect(counts.invalid).toBeGreaterThan(runCount(150) * 30);
});

test.each<[why: string | undefined, text: string, value: unknown]>([
  [undefined, '{"type": "string"}', 1],
  [
    "nobody knows what https://e.example/b accepts",
    '{"properties": {"a": {"$ref": "https://e.example/b"}}}',
    { a: 1 },
  ],
  [undefined, '{"properties": {"a": {"$ref": "https://e.example/b"}}}', { b: 1 }],
  [
    "no double holds a number at a.json /properties/a",
    '{"properties": {"a": {"const": 9007199254740993}}}',
    { a: 9007199254740992 },
  ],
  [
    "the value takes too long to validate, at a.json",
    JSON.stringify({
      $ref: "#/$defs/20",
      $defs: Object.fromEntries(
        Array.from({ length: 21 }, (_, index) => [
          `${index}`,
          index > 0 && { allOf: Array(2).fill({ $ref: `#/$defs/${index - 1}` }), type: "null" },
        ]),
      ),
    }).replace("false", "true"),
    null,
  ],
])("there is no verdict because %s", (why, text, value) => {
  const { root } = loadVersion({ name: "a.json", text, others: [] });
  expect(whyUnknown(root, value)).toBe(why);
  expect(isValid(root, value) === undefined).toBe(why !== undefined);
});
