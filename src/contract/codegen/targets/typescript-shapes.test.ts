import { expect, test } from "vitest";
import type { Definition } from "../../schemas/definitions.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { toShape } from "./typescript-shapes.js";

const schema = {
  file: "schema/extra.schema.json",
  name: "extra",
  id: "https://example.com/extra",
  canonicalHash: "",
  document: {},
  entryTypes: [],
  tier: "wire" as const,
};
const text: Definition = {
  name: "Text",
  schema,
  pointer: "",
  node: { type: "string", description: "Text." },
};
const definitions = new Map([["Text", text]]);

const NOTHING = { type: [] };

test.each<[string, SchemaNode, unknown]>([
  ["any value", { description: "Any.", title: "Any" }, {}],
  ["a type", { type: "string" }, { type: ["string"] }],
  ["a type with x-redact", { type: "string", "x-redact": "open" }, { type: ["string"] }],
  ["types", { type: ["object", "null"] }, { type: ["object", "null"] }],
  ["an enum of texts", { enum: ["a", "b"] }, { type: ["string"], enum: ["a", "b"] }],
  ["a reference", { $ref: "Text", description: "A text." }, { type: ["string"] }],
  [
    "an object",
    { type: "object", properties: { a: { $ref: "Text" }, b: {} } },
    { type: ["object"], properties: { a: { type: ["string"] }, b: {} } },
  ],
  [
    "an array",
    { type: "array", items: { type: "null" } },
    { type: ["array"], items: { type: ["null"] } },
  ],
  ["an integer", { type: ["integer", "null"] }, { type: ["integer", "null"] }],
  [
    "bounds",
    { type: "integer", minimum: 1, maximum: 2 },
    { type: ["integer"], minimum: 1, maximum: 2 },
  ],
  ["an exclusive bound", { type: "number", exclusiveMinimum: 0 }, NOTHING],
  ["an enum of integers", { enum: [0, 1] }, { type: ["integer"], enum: [0, 1] }],
  ["an enum of nothing", { enum: [] }, NOTHING],
  ["an enum of fractions", { enum: [0.5] }, NOTHING],
  ["an enum of other values", { enum: ["a", 1] }, NOTHING],
  [
    "an enum of texts among other types",
    { type: ["string", "null"], enum: ["a"] },
    { type: ["string"], enum: ["a"] },
  ],
  ["an enum of texts where the type excludes text", { type: "object", enum: ["a"] }, NOTHING],
  ["a constant", { const: "a" }, { type: ["string"], enum: ["a"] }],
  ["a constant null", { const: null }, NOTHING],
  [
    "a text that is not empty",
    { type: "string", minLength: 1 },
    { type: ["string"], minLength: 1 },
  ],
  ["a longer text", { type: "string", minLength: 2 }, NOTHING],
  ["a list that is not empty", { type: "array", minItems: 1 }, { type: ["array"], minItems: 1 }],
  ["a longer list", { type: "array", minItems: 2 }, NOTHING],
  [
    "required properties, which any value may have",
    { type: "object", properties: { a: { $ref: "Text" } }, required: ["a", "b"] },
    { type: ["object"], properties: { a: { type: ["string"] }, b: {} }, required: ["a", "b"] },
  ],
  ["a closed object", { type: "object", additionalProperties: false }, NOTHING],
  ["a type with a base that is no object", { type: "object", allOf: [{ $ref: "Text" }] }, NOTHING],
  [
    "a type with a base",
    {
      type: "object",
      allOf: [{ type: "object", properties: { a: {} }, required: ["a"] }],
      properties: { b: { $ref: "Text" } },
      required: ["b"],
    },
    { type: ["object"], properties: { a: {}, b: { type: ["string"] } }, required: ["a", "b"] },
  ],
  [
    "a base with the same property",
    {
      type: "object",
      allOf: [{ type: "object", properties: { a: {} } }],
      properties: { a: { $ref: "Text" } },
    },
    NOTHING,
  ],
  ["a reference with another keyword", { $ref: "Text", minLength: 1 }, NOTHING],
  ["a reference with a type", { $ref: "Text", type: "string" }, NOTHING],
  [
    "partially checkable types",
    { type: "object", properties: { a: { type: "string", maxLength: 1 } } },
    { type: ["object"], properties: { a: NOTHING } },
  ],
])("%s", (_, node, shape) => expect(toShape(node, definitions)).toEqual(shape));
