import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json/value.js";
import { validatorOf } from "./ajv/ajv.js";
import { closeObjects } from "./close-objects.js";
import { compareVersions } from "./compare-versions.js";
import { HOLE, SchemaSet } from "./schema/schema-set.js";
import type { Schema } from "./schema/subschemas.js";

function isEmitted(schema: Schema, value: unknown): boolean | undefined {
  return validatorOf(closeObjects(new SchemaSet().add(schema, "test:/a"))).isValid(value);
}

function inA(schema: JsonObject): JsonObject {
  return { properties: { a: schema } };
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
    [
      "declared by another schema of the same property",
      { allOf: [inA({ properties: { x: true } }), inA({ properties: { y: true } })] },
      { a: { x: 1, y: 1 } },
      true,
    ],
    [
      "declared by no schema of the same property",
      { allOf: [inA({ properties: { x: true } }), inA({ properties: { y: true } })] },
      { a: { z: 1 } },
      false,
    ],
    [
      "declared deep inside by another schema of the same property",
      {
        ...inA(inA({ properties: { x: true } })),
        anyOf: [inA(inA({ properties: { y: true } }))],
      },
      { a: { a: { x: 1, y: 1 } } },
      true,
    ],
    [
      "declared by a pattern that the property matches",
      {
        ...inA({ properties: { x: true } }),
        patternProperties: { "^a": { properties: { y: true } } },
      },
      { a: { x: 1, y: 1 } },
      true,
    ],
    [
      "declared for the same items",
      { items: { properties: { x: true } }, allOf: [{ items: { properties: { y: true } } }] },
      [{ x: 1, y: 1 }],
      true,
    ],
    [
      "declared by what an item must contain",
      {
        items: { properties: { x: true } },
        contains: { properties: { y: true }, required: ["y"] },
      },
      [{ x: 1, y: 1 }],
      true,
    ],
    [
      "declared by another member of a union",
      { oneOf: [inA({ properties: { x: true } }), inA({ properties: { y: true } })] },
      { a: { x: 1, y: 1 } },
      false,
    ],
    [
      "a required one counts as declared",
      { properties: { a: true }, required: ["b"], dependentRequired: { a: ["c"] } },
      { a: 1, b: 1, c: 1 },
      true,
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

test.each<[what: string, of: (kind: JsonObject) => JsonObject]>([
  [
    "several schemas declare parts of one property",
    (kind) => ({
      required: ["a"],
      allOf: [
        inA({ properties: { kind }, required: ["kind"] }),
        inA({ properties: { id: true }, required: ["id"] }),
      ],
    }),
  ],
  [
    "a condition says more about a property",
    (kind) => ({
      required: ["a"],
      ...inA({ properties: { kind, id: true }, required: ["kind", "id"] }),
      if: true,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: inA({ properties: { id: { minLength: 1 } } }),
    }),
  ],
  [
    "a property is required and not declared",
    (kind) => ({ properties: { kind }, required: ["kind", "id"] }),
  ],
  [
    "no writer of declared properties can write a record",
    (kind) => ({ properties: { kind }, required: ["kind"], minProperties: 2 }),
  ],
])("a constant that changed is a break although %s", (_, of) => {
  const [before, after] = ["a", "b"].map((value) =>
    new SchemaSet().add({ type: "object", ...of({ const: value }) }, "test:/a"),
  );
  if (before === undefined || after === undefined) throw new Error("two versions are needed");
  expect(compareVersions(before, after).lenses["declared-writer"]).toEqual({
    backward: "breaking",
    forward: "breaking",
  });
});

test("a schema that nobody can read may declare what a new version of another declares", () => {
  const versions = [{ x: true }, { x: true, y: { type: "string" } }].map((properties) =>
    new SchemaSet().add({ ...inA({ properties }), allOf: [{ [HOLE]: "?" }] }, "test:/a"),
  );
  const [before, after] = versions;
  if (before === undefined || after === undefined) throw new Error("two versions are needed");
  expect(compareVersions(before, after).lenses["declared-writer"].backward).toBe("undecided");
});
