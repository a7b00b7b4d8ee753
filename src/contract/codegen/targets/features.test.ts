import { expect, test } from "vitest";
import type { Definition } from "../../schemas/definitions.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { toFeature } from "./features.js";

/** Definitions of one schema whose entry type is `Entry`. */
function link(nodes: Readonly<Record<string, SchemaNode>>): Map<string, Definition> {
  const schema = {
    file: "schema/extra.schema.json",
    name: "extra",
    id: "https://example.com/extra",
    canonicalHash: "",
    document: {},
    entryTypes: ["Entry"],
    tier: "wire" as const,
  };
  return new Map(
    Object.entries(nodes).map(([name, node]) => [name, { name, schema, pointer: "", node }]),
  );
}

/** Feature of the node as a separate definition. */
function featureOf(node: SchemaNode, others: Readonly<Record<string, SchemaNode>> = {}): unknown {
  const definitions = link({ Own: node, ...others });
  const own = definitions.get("Own");
  return own && toFeature(own, definitions);
}

const TEXT = { _type: "Value", dtype: "string" };
const ANY = { _type: "Json" };

test.each<[string, SchemaNode, unknown]>([
  ["text", { type: "string" }, TEXT],
  ["an integer", { type: "integer" }, { _type: "Value", dtype: "int64" }],
  ["a number", { type: "number" }, { _type: "Value", dtype: "float64" }],
  ["a boolean", { type: "boolean" }, { _type: "Value", dtype: "bool" }],
  ["a nullable value", { type: ["integer", "null"] }, { _type: "Value", dtype: "int64" }],
  ["an enum of text", { enum: ["a", null] }, TEXT],
  ["an enum of integers", { enum: [0, 1] }, { _type: "Value", dtype: "int64" }],
  ["a constant", { const: "a" }, TEXT],
  ["an enum of several types", { enum: ["a", 1] }, ANY],
  ["a value of several types", { type: ["object", "string"] }, ANY],
  ["any value", { description: "Any." }, ANY],
  ["a list", { type: "array", items: { type: "string" } }, { _type: "List", feature: TEXT }],
  ["a list of any values", { type: "array" }, { _type: "List", feature: ANY }],
  ["an open object", { type: "object", properties: { a: { type: "string" } } }, ANY],
  ["a map", { type: "object", additionalProperties: { type: "string" } }, ANY],
])("%s", (_, node, feature) => {
  expect(featureOf(node)).toEqual(feature);
});

test("a closed object is a struct if it requires all of its properties", () => {
  const closed: SchemaNode = {
    type: "object",
    properties: { a: { type: "string" }, b: { $ref: "Other" } },
    required: ["a", "b"],
    additionalProperties: false,
  };
  const others = { Other: { type: "boolean" } } as const;
  const struct = { a: TEXT, b: { _type: "Value", dtype: "bool" } };
  expect(featureOf(closed, others)).toEqual(struct);
  expect(featureOf({ ...closed, required: ["a"] }, others)).toEqual(ANY);
});

test("an entry type becomes columns, those of its bases first; inside a record it is a value", () => {
  const nodes: Record<string, SchemaNode> = {
    Base: { type: "object", properties: { a: { type: "string" } } },
    Entry: {
      type: "object",
      allOf: [{ $ref: "Base" }],
      properties: { b: { type: "array", items: { $ref: "Base" } } },
    },
    Own: { type: "array", items: { $ref: "Entry" } },
  };
  const definitions = link(nodes);
  const features = [...definitions.values()].map((each) => toFeature(each, definitions));
  expect(features).toEqual([
    ANY,
    { a: TEXT, b: { _type: "List", feature: ANY } },
    { _type: "List", feature: ANY },
  ]);
});
