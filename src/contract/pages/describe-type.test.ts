import { describe, expect, test } from "vitest";
import { describeConstraints, describeType, type Resolve } from "./describe-type.js";

/** A schema with an object `Item`, a text `Name`, and a `Loop` that is itself. */
const resolve: Resolve = (reference) => {
  const nodes: Readonly<Record<string, object>> = {
    Item: { type: "object", properties: {}, additionalProperties: false },
    Name: { type: "string", minLength: 1 },
    Loop: { $ref: "#/$defs/Loop" },
  };
  const name = reference.replace("#/$defs/", "");
  const node = nodes[name];
  return node && { link: { schema: "s", name }, node: { ...node }, resolve };
};

const item = { schema: "s", name: "Item" };
const name = { schema: "s", name: "Name" };
const ITEM = { $ref: "#/$defs/Item" };
const NAME = { $ref: "#/$defs/Name" };

describe("describeType", () => {
  test.each<[what: string, node: unknown, parts: readonly unknown[]]>([
    ["anything", {}, ["any JSON value"]],
    ["anything, as a boolean", true, ["any JSON value"]],
    ["nothing", false, ["nothing"]],
    ["several types", { type: ["integer", "null"] }, ["integer", " or ", "null"]],
    ["a constant", { const: "v1" }, ['"v1"']],
    ["a null constant", { const: null }, ["null"]],
    ["values", { enum: ["a", 1] }, ['"a"', " | ", "1"]],
    ["a reference", ITEM, [item]],
    ["a reference to something simple", NAME, [name, ": ", "string"]],
    ["a reference to itself", { $ref: "#/$defs/Loop" }, [{ schema: "s", name: "Loop" }]],
    ["an unknown reference", { $ref: "https://x.example/s" }, ["https://x.example/s"]],
    ["a list", { type: "array", items: ITEM }, ["array of ", item]],
    ["a list of anything", { type: "array" }, ["array"]],
    [
      "a list of several types",
      { type: "array", items: { type: ["string", "null"] } },
      ["array of ", "(", "string", " or ", "null", ")"],
    ],
    ["a map", { type: "object", additionalProperties: NAME }, ["object of ", name, ": ", "string"]],
    ["alternatives", { anyOf: [ITEM, { type: "null" }] }, [item, " or ", "null"]],
    ["an extension", { type: "object", allOf: [ITEM] }, ["object", " and ", item]],
    ["an extension without a type", { allOf: [ITEM] }, [item]],
  ])("%s", (_what, node, parts) => {
    expect(describeType(node, resolve)).toEqual(parts);
  });
});

describe("describeConstraints", () => {
  test.each<[what: string, node: unknown, constraints: readonly string[]]>([
    ["none", { type: "string", description: "d", title: "t", "x-mine": 1 }, []],
    ["a range", { minimum: 0, exclusiveMaximum: 1.5 }, [">= 0", "< 1.5"]],
    ["a length", { minLength: 1, maxLength: 2 }, ["at least 1 character", "at most 2 characters"]],
    ["a pattern and a format", { pattern: "^a", format: "uri" }, ["matches ^a", "format uri"]],
    [
      "different items",
      { uniqueItems: true, minItems: 1 },
      ["no two items are equal", "at least 1 item"],
    ],
    ["items", { type: "array", items: { minimum: 1 } }, ["each item: >= 1"]],
    [
      "a closed object",
      { properties: {}, additionalProperties: false },
      ["no other field is allowed"],
    ],
    [
      "a partly closed object",
      { properties: {}, additionalProperties: { type: "null" } },
      ['any other field: {"type":"null"}'],
    ],
    [
      "values of a map",
      { type: "object", additionalProperties: NAME },
      ["each value: at least 1 character"],
    ],
    ["those of something simple", NAME, ["at least 1 character"]],
    ["not those of another type", ITEM, []],
    [
      "alternatives",
      { oneOf: [{ minimum: 1 }, ITEM] },
      ["exactly one alternative", "alternative 1: >= 1"],
    ],
    ["an extension in place", { allOf: [ITEM, { maxProperties: 2 }] }, ["at most 2 fields"]],
    ["redaction", { "x-redact": "identifier" }, ["redaction: identifier"]],
    ["a default", { default: false, deprecated: true }, ["default: false", "deprecated"]],
    [
      "keywords without words",
      { not: { type: "null" }, toString: 1 },
      ['not: {"type":"null"}', "toString: 1"],
    ],
  ])("%s", (_what, node, constraints) => {
    expect(describeConstraints(node, resolve)).toEqual(constraints);
  });
});
