import { expect, test } from "vitest";
import { SchemaSet } from "../compat/schema-set.js";
import type { Schema } from "../compat/subschemas.js";
import { compareDeclared } from "./compare-declared.js";

const text = { type: "string" };

const CLOSED = { additionalProperties: false };

function rootOf(schema: Schema) {
  return new SchemaSet().add(schema, "schema:/");
}

/** What becomes of old data that holds declared properties alone. */
function verdictOf(before: Schema, after: Schema): unknown {
  const { entries } = compareDeclared({ old: rootOf(before), new: rootOf(after) });
  return entries.map(({ backward }) => backward.verdict).join();
}

const object = (properties: Readonly<Record<string, Schema>>, more: object = {}) => ({
  type: "object",
  properties,
  ...more,
});

/** Publishes types, as the schemas of the format do. */
const publish = (types: Readonly<Record<string, Schema>>, entries = Object.keys(types)) => ({
  anyOf: entries.map((name) => ({ $ref: `#/$defs/${name}` })),
  $defs: types,
});

test.each<[change: string, before: Schema, after: Schema]>([
  ["an optional property of an open object", object({ a: text }), object({ a: text, b: text })],
  [
    "one of an object within",
    object({ a: object({ b: text }) }),
    object({ a: object({ b: text, c: text }) }),
  ],
  [
    "one of the objects in an array",
    object({ a: { type: "array", items: object({ b: text }) } }),
    object({ a: { type: "array", items: object({ b: text, c: text }) } }),
  ],
  ["an object that is closed from now on", object({ a: text }), object({ a: text }, CLOSED)],
  [
    "one of a type on which another builds",
    publish({
      A: object({ a: text }),
      B: { allOf: [{ $ref: "#/$defs/A" }], ...object({ b: text }) },
    }),
    publish({
      A: object({ a: text, c: text }),
      B: { allOf: [{ $ref: "#/$defs/A" }], ...object({ b: text }) },
    }),
  ],
  [
    "one of an object by reference",
    publish({ A: object({ a: { $ref: "#/$defs/B" } }), B: object({ b: text }) }, ["A"]),
    publish({ A: object({ a: { $ref: "#/$defs/B" } }), B: object({ b: text, c: text }) }, ["A"]),
  ],
])("does not break: %s", (_change, before, after) => {
  expect(verdictOf(before, after)).toMatch(/^compatible(,compatible)*$/);
});

test.each<[change: string, before: Schema, after: Schema]>([
  ["a property that is required", object({ a: text }), object({ a: text }, { required: ["a"] })],
  ["a new property that is", object({}), object({ a: text }, { required: ["a"] })],
  ["a narrower property", object({ a: {} }), object({ a: text })],
  ["an object that declares nothing", { type: "object" }, object({ a: text })],
  [
    "one within that declares nothing",
    object({ a: { type: "object" } }),
    object({ a: object({ b: text }) }),
  ],
  ["a property that goes from a closed object", object({ a: text }), object({}, CLOSED)],
  [
    "what names were free to be",
    object({ a: text }, { additionalProperties: text }),
    object({ a: text, b: { type: "integer" } }, { additionalProperties: text }),
  ],
  ["a type that goes", publish({ A: object({ a: text }), B: text }), publish({ A: object({}) })],
])("breaks: %s", (_change, before, after) => {
  expect(verdictOf(before, after)).toContain("breaking");
});
