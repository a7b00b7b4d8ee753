import fc from "fast-check";
import { expect, test } from "vitest";
import { ClassJudges } from "./class-judges.js";
import { compileSchema } from "./compile-schema.js";
import { SchemaClasses } from "./satisfiability/schema-classes.js";
import { type SchemaLocation, SchemaSet } from "./schema-set.js";
import type { Schema } from "./subschemas.js";
import { arbitraryPair, arbitraryValue } from "./testing/arbitrary-schema.js";

const node = {
  properties: {
    a: { $ref: "one" },
    b: { $ref: "one" },
    c: { allOf: [{ $ref: "other" }, { $ref: "one" }] },
    d: { type: "array", items: { $ref: "#/$defs/node" } },
  },
  unevaluatedProperties: { $ref: "other" },
};

/** Both schemas, each at several places, and in a circle. */
const several: Schema = {
  $defs: { node },
  anyOf: [{ $ref: "#/$defs/node" }, { allOf: [{ $ref: "one" }], not: { $ref: "other" } }],
};

function rootsOf(one: Schema, other: Schema): SchemaLocation[] {
  const set = new SchemaSet();
  const [first, second] = [set.add(one, "test:/one"), set.add(other, "test:/other")];
  return [first, second, set.add(several, "test:/several")];
}

test("what is compiled once for several schemas says what each of them says, as it stands", () => {
  const values = fc
    .sample(arbitraryValue, { seed: 1, numRuns: 60 })
    .flatMap((value) => [value, { a: value, c: value }, { b: value, d: [{ e: value }] }]);
  const counts = { valid: 0, invalid: 0, unknown: 0 };
  fc.assert(
    fc.property(arbitraryPair, ([one, other]) => {
      const judges = new ClassJudges(new SchemaClasses());
      for (const root of [...rootsOf(one, other), ...rootsOf(other, one)]) {
        const [judge, plain] = [judges.of(root), compileSchema(root)];
        const verdicts = values.map((value) => judge.isValid(value));
        expect(values.filter((value, at) => plain.isValid(value) !== verdicts[at])).toEqual([]);
        for (const verdict of verdicts) {
          counts[verdict === undefined ? "unknown" : verdict ? "valid" : "invalid"] += 1;
        }
      }
    }),
    { seed: 1, numRuns: 150 },
  );
  expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(counts.unknown + 10_000);
});

test("what Ajv takes for always valid stays plain to it: then `contains` evaluates nothing", () => {
  const root = new SchemaSet().add(
    { contains: true, unevaluatedItems: { exclusiveMaximum: 1 } },
    "test:/schema",
  );
  const judge = new ClassJudges(new SchemaClasses()).of(root);
  expect([judge.isValid([1]), compileSchema(root).isValid([1])]).toEqual([false, false]);
});

test.each<[string, Schema]>([
  ["a dynamic reference", { $dynamicRef: "#node", $dynamicAnchor: "node" }],
  ["a required property with the empty name", { required: [""] }],
])("what has to be compiled as it stands: %s", (_, schema) => {
  const root = new SchemaSet().add({ properties: { a: schema } }, "test:/schema");
  const [judge, plain] = [new ClassJudges(new SchemaClasses()).of(root), compileSchema(root)];
  for (const value of [1, { a: {} }, { a: { "": 1 } }, { a: 1 }]) {
    expect(judge.isValid(value)).toBe(plain.isValid(value));
  }
});

test("what is wrong is said of the schema as it stands", () => {
  const root = new SchemaSet().add({ properties: { a: { enum: [] } } }, "test:/schema", "old.json");
  const judge = new ClassJudges(new SchemaClasses()).of(root);
  expect([judge.isValid({}), judge.problem]).toEqual([true, undefined]);
  expect([judge.isValid({ a: 1 }), judge.problem]).toEqual([
    undefined,
    "old.json: Ajv cannot compile it: enum must have non-empty array",
  ]);
});
