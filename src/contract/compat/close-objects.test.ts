import { describe, expect, test } from "vitest";
import { validatorOf } from "./ajv/ajv.js";
import { closeObjects } from "./close-objects.js";
import { compareVersions } from "./compare-versions.js";
import type { Schema } from "./schema/schema-set.js";
import { SchemaSet } from "./schema/schema-set.js";

function isEmitted(schema: Schema, value: unknown): boolean | undefined {
  return validatorOf(closeObjects(new SchemaSet().add(schema, "test:/a"))).isValid(value);
}

describe("a writer emits declared properties only", () => {
  test.each<[string, Schema, unknown, boolean]>([
    ["an undeclared one", { properties: { a: true } }, { b: 1 }, false],
    ["a declared one", { properties: { a: true } }, { a: 1 }, true],
    [
      "an explicitly open object changes nothing",
      { properties: { a: true }, additionalProperties: true },
      { b: 1 },
      false,
    ],
    [
      "a schema for undeclared properties counts as a declaration",
      { properties: { a: true }, additionalProperties: { type: "null" } },
      { b: null },
      true,
    ],
    ["a map has no declared properties", { type: "object" }, { b: 1 }, true],
    ["in an item", { items: { properties: { a: true } } }, [{ b: 1 }], false],
    [
      "in a property of a property",
      { properties: { a: { properties: { c: true } } } },
      { a: { b: 1 } },
      false,
    ],
    [
      "declared by another member of allOf",
      { allOf: [{ properties: { a: true } }, { properties: { b: true } }] },
      { a: 1, b: 1 },
      true,
    ],
    [
      "declared by no member of allOf",
      { allOf: [{ properties: { a: true } }, { properties: { b: true } }] },
      { c: 1 },
      false,
    ],
    [
      "declared by a referenced schema",
      { $ref: "#/$defs/a", properties: { b: true }, $defs: { a: { properties: { a: true } } } },
      { a: 1, b: 1 },
      true,
    ],
    [
      "a schema that refers to itself",
      { properties: { next: { $ref: "#" } } },
      { next: { next: { b: 1 } } },
      false,
    ],
    [
      "a condition is not changed",
      {
        properties: { a: true },
        if: { properties: { a: { properties: { c: { const: 1 } } } } },
        else: false,
      },
      { a: { c: 1, d: 2 } },
      true,
    ],
    [
      "`not` is not changed",
      {
        properties: { a: { type: "object" } },
        not: { required: ["a"], properties: { a: { properties: { c: { const: 1 } } } } },
      },
      { a: { c: 1, d: 2 } },
      false,
    ],
    ["an empty schema", false, {}, false],
    [
      "names that need escapes",
      { properties: { "a/b~c": { properties: { d: true } } } },
      { "a/b~c": { e: 1 } },
      false,
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(isEmitted(schema, value)).toBe(expected);
  });
});

test("a version can be compared several times", () => {
  const union = (item: Schema) => ({
    anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }],
    $defs: {
      A: { type: "object", properties: { kind: { const: "a" }, of: { $ref: "#/$defs/Item" } } },
      B: { type: "object", properties: { kind: { const: "b" }, of: { $ref: "#/$defs/Item" } } },
      Item: item,
    },
  });
  const before = new SchemaSet().add(union({ type: "object", properties: { x: true } }), "test:/a");
  const after = new SchemaSet().add(
    union({ type: "object", properties: { x: true, y: { type: "string" } } }),
    "test:/a",
  );
  const compare = () => compareVersions(before, after).lenses["declared-writer"];
  expect([compare(), compare()]).toEqual([
    { backward: "compatible", forward: "compatible" },
    { backward: "compatible", forward: "compatible" },
  ]);
});
