import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json/value.js";
import { describeFields } from "./describe-fields.js";
import type { Resolve, Target } from "./describe-type.js";

/** The type `Own` of a schema with these definitions. */
function open(definitions: Readonly<Record<string, JsonObject>>): Target {
  const resolve: Resolve = (reference) => {
    const name = reference.replace("#/$defs/", "");
    const node = definitions[name];
    return node && { link: { schema: "s", name }, node, resolve };
  };
  const target = resolve("Own");
  if (target === undefined) throw new Error("there is no type Own");
  return target;
}

/** Path, whether it is required, and the type that it comes from. */
function listFields(definitions: Readonly<Record<string, JsonObject>>): unknown[] {
  return describeFields(open(definitions)).map(({ path, isRequired, from }) => [
    path,
    isRequired,
    from?.name,
  ]);
}

test("type, limits and description of a field", () => {
  const properties = { a: { type: "integer", minimum: 0, description: "How many." }, b: true };
  expect(describeFields(open({ Own: { properties, required: ["a"] } }))).toEqual([
    {
      path: "a",
      type: ["integer"],
      constraints: [">= 0"],
      isRequired: true,
      description: "How many.",
      from: undefined,
    },
    {
      path: "b",
      type: ["any JSON value"],
      constraints: [],
      isRequired: false,
      description: "",
      from: undefined,
    },
  ]);
});

test("fields of objects without a name, in lists and in maps", () => {
  const inner = { type: "object", properties: { x: {} }, required: ["x"] };
  const properties = {
    a: inner,
    b: { type: "array", items: { type: "array", items: inner } },
    c: { type: "object", additionalProperties: inner },
    d: { allOf: [{ properties: { y: {} } }] },
  };
  expect(listFields({ Own: { properties } })).toEqual([
    ["a", false, undefined],
    ["a.x", true, undefined],
    ["b", false, undefined],
    ["b[][].x", true, undefined],
    ["c", false, undefined],
    ["c.*.x", true, undefined],
    ["d", false, undefined],
    ["d.y", false, undefined],
  ]);
});

test("fields of the types that it extends come first; its own description counts", () => {
  const definitions = {
    Base: { properties: { a: {}, b: { description: "base" } }, required: ["b"] },
    Middle: { allOf: [{ $ref: "#/$defs/Base" }], properties: { c: {} } },
    Own: {
      allOf: [{ $ref: "#/$defs/Middle" }],
      properties: { b: { description: "own" } },
      required: ["a"],
    },
  };
  expect(listFields(definitions)).toEqual([
    ["a", true, "Base"],
    ["b", true, undefined],
    ["c", false, "Middle"],
  ]);
  expect(describeFields(open(definitions))[1]?.description).toBe("own");
});

test("a type that extends itself, or one that is not there", () => {
  const allOf = [{ $ref: "#/$defs/Own" }, { $ref: "#/$defs/Other" }, { $ref: "#/$defs/None" }];
  const Other = {
    allOf: [{ $ref: "#/$defs/Own" }, { $ref: "#/$defs/Other" }],
    properties: { b: {} },
  };
  expect(listFields({ Own: { allOf, properties: { a: {} } }, Other })).toEqual([
    ["b", false, "Other"],
    ["a", false, undefined],
  ]);
});

test("names of JavaScript's own objects are names of fields", () => {
  const properties = JSON.parse('{"__proto__": {"type": "null"}, "constructor": {}}');
  expect(listFields({ Own: { properties, required: ["constructor"] } })).toEqual([
    ["__proto__", false, undefined],
    ["constructor", true, undefined],
  ]);
});

test("fields of alternatives: what each says, next to what the type itself says", () => {
  const properties = { kind: { type: "string" } };
  const oneOf = [
    { properties: { kind: { const: "a" }, at: { type: "integer", minimum: 0 } } },
    { properties: { kind: { const: "b" }, at: { type: "string" } }, required: ["at"] },
    { $ref: "#/$defs/Other" },
  ];
  const fields = describeFields(
    open({ Own: { properties, oneOf }, Other: { properties: { z: {} } } }),
  );
  expect(fields.map(({ path, type, constraints }) => [path, type.join(""), constraints])).toEqual([
    ["kind", "string", ['alternative 1: "a"', 'alternative 2: "b"']],
    [
      "at",
      "integer or string",
      ["alternative 1: integer", "alternative 1: >= 0", "alternative 2: string"],
    ],
  ]);
  expect(fields.every(({ isRequired }) => !isRequired)).toBe(true);
});
