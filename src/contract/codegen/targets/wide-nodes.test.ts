import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { SchemaNode } from "../../schemas/nodes.js";
import { NodeModule, toInput } from "../testing/node-module.js";
import { sampleSchemas, toName, toNodes, valuesOf } from "../testing/random-nodes.js";
import { datasetFeatures, toFeature } from "./features.js";
import { reference } from "./reference.js";
import { toPlace, typescriptRedaction } from "./typescript-redaction.js";
import { toShape, typescriptShapes } from "./typescript-shapes.js";

const schemas = sampleSchemas(20_261_129, 100);
const nodes = toNodes(schemas);

test.each([datasetFeatures, reference, typescriptRedaction, typescriptShapes])(
  "$id prints any schema",
  async ({ generate }) => {
    const input = toInput(nodes);
    const files = await generate(input);
    expect(files.length).toBeGreaterThan(0);
    for (const { text } of files) {
      expect(text.length).toBeGreaterThan(100);
      expect(text).not.toContain("undefined");
    }
  },
);

test("a value that matches a shape is valid under its schema", async () => {
  const module = await NodeModule.load(nodes);
  const { definitions } = toInput(nodes);
  const ajv = new Ajv2020({ strict: false });
  let matching = 0;
  for (const [number, schema] of schemas.entries()) {
    const name = toName("root", number);
    const shape = toShape(nodes[name] ?? {}, definitions);
    const values = valuesOf(schema, number);
    // Shapes have no types where nothing matches, which no schema may have.
    const text = JSON.stringify(shape).replaceAll('"type":[]', '"not":{}');
    const matches = ajv.compile(JSON.parse(text));
    for (const value of values.filter((each) => matches(each))) {
      matching += 1;
      expect(module.is(name, value), JSON.stringify({ schema, shape, value })).toBe(true);
    }
  }
  module.remove();
  expect(matching).toBeGreaterThan(100);
});

test("what a target cannot express it does not say", () => {
  const tree: SchemaNode = {
    type: "object",
    properties: { name: { type: "string" }, next: { $ref: "Tree" } },
    required: ["name", "next"],
    additionalProperties: false,
  };
  const { definitions } = toInput({ Tree: tree });
  const [definition] = definitions.values();
  expect(definition && toFeature(definition, definitions)).toEqual({
    name: { _type: "Value", dtype: "string" },
    next: { _type: "Json" },
  });
  expect(toPlace({ properties: { next: { $ref: "Tree" } } }, definitions)).toMatchObject({
    fields: { next: { kind: "object", fields: { next: { kind: "open" } } } },
  });
  const pair: SchemaNode = {
    type: "array",
    prefixItems: [{ type: "string" }],
    items: { type: "number" },
  };
  expect(toPlace(pair, definitions)).toEqual({ kind: "open" });
  expect(toShape({ properties: { a: { type: "string" } } }, definitions)).toEqual({ type: [] });
  expect(
    toShape(
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      definitions,
    ),
  ).toEqual({ type: [] });
});

test("the reference has words for every keyword", async () => {
  const input = toInput({
    Text: { type: "string", minLength: 1 },
    Value: {
      type: "object",
      properties: {
        a: { oneOf: [{ $ref: "Text" }, { type: "null" }] },
        b: { type: "array", prefixItems: [{ const: 1 }], items: { not: {} }, uniqueItems: true },
        c: { $ref: "Text", not: { enum: ["x", "y"] } },
        d: { contains: { multipleOf: 2 }, maxContains: 3 },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        e: { if: { type: "string" }, then: { pattern: "^a" }, else: { maxProperties: 1 } },
      },
      patternProperties: { "^x-": {} },
      additionalProperties: { type: "number" },
      dependentRequired: { a: ["b"] },
    },
  });
  const [page] = await reference.generate(input);
  for (const said of [
    "| `a` | exactly one of ([Text](#text) or null) |",
    "| `b` | array of `1`, then nothing, no two items equal |",
    '| `c` | [Text](#text), not (`"x"`, `"y"`) |',
    "| `d` | any JSON value, has at least 1 and at most 3 of (any JSON value, multiple of 2) |",
    "| `e` | any JSON value, if (string), then (any JSON value, matches `^a`), else (any JSON value, fields <= 1) |",
    "Other fields: number.",
    'And: names that match `"^x-"`: (any JSON value), with `"a"` also `"b"`.',
  ]) {
    expect(page?.text).toContain(said);
  }
});
