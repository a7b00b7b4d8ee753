import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SchemaNode } from "../../schemas/nodes.js";
import { NodeModule } from "../testing/node-module.js";

const text: SchemaNode = { type: "string" };
const tagged = (kind: string, field: string): SchemaNode => ({
  type: "object",
  properties: { kind: { const: kind }, [field]: { type: "integer" } },
  required: ["kind", field],
});

const NODES: Record<string, SchemaNode> = {
  Text: text,
  Short: { maxLength: 1 },
  Literal: { const: { a: [1] } },
  Many: { enum: Array.from({ length: 22 }, (_, index) => index) },
  Cents: { multipleOf: 0.01 },
  Set: { type: "array", uniqueItems: true },
  Some: { contains: { type: "integer" }, minContains: 2, maxContains: 2 },
  Sized: { type: "object", minProperties: 1, maxProperties: 2 },
  Depends: { dependentRequired: { a: ["b", "c"] } },
  Named: { propertyNames: { pattern: "^[a-z]$", maxLength: 1 } },
  Closed: { properties: { a: {} }, patternProperties: { "^x-": {} }, additionalProperties: false },
  Never: { properties: { a: { not: {} } }, not: { required: ["b"] } },
  Nullable: { anyOf: [{ type: ["string", "null"], minLength: 2 }, { type: "integer" }] },
  Loose: { anyOf: [{ type: "string" }, { $ref: "Literal", type: "object" }, { type: "array" }] },
  Untagged: { anyOf: [tagged("a", "x"), { type: "object", required: ["y"] }] },
  A: tagged("a", "x"),
  B: tagged("b", "y"),
  Tagged: { oneOf: [{ $ref: "A" }, { allOf: [{ $ref: "B" }] }] },
  Both: { oneOf: [{ $ref: "Short" }, { $ref: "Text" }, { type: "null" }] },
  BothInPlace: { oneOf: [{ type: "string" }, { minLength: 0 }] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  Branch: { if: { minimum: 10 }, then: { multipleOf: 10 }, else: { minimum: 1 } },
  Typed: { type: "string", enum: ["a"], allOf: [{ minLength: 3 }] },
  Order: {
    $ref: "Closed",
    required: ["z"],
    properties: { b: text, a: text },
    allOf: [{ required: ["y"] }, { required: ["z"] }],
  },
  Tree: { type: "array", items: { $ref: "Tree" } },
  Proto: {
    type: "object",
    properties: JSON.parse('{"__proto__":{"type":"string"},"toString":{"type":"integer"}}'),
    required: ["constructor"],
    additionalProperties: false,
  },
};

let module: NodeModule;

beforeAll(async () => {
  module = await NodeModule.load(NODES);
});

afterAll(() => module.remove());

/** The faults of a value, each as `pointer keyword message`. */
function say(name: string, value: unknown): string[] {
  const faults = module.findErrors(name, value);
  expect(module.is(name, value)).toBe(faults.length === 0);
  return faults.map(({ pointer, keyword, message }) => `${pointer} ${keyword}: ${message}`);
}

describe("the words of each keyword", () => {
  test.each<[string, unknown, string[]]>([
    ["Short", "a\u{1f600}", [' maxLength: must NOT have more than 1 characters, is "a\u{1f600}"']],
    ["Literal", { a: [2] }, [' const: must be {"a":[1]}, is an object']],
    [
      "Many",
      "x",
      [
        ` enum: must be ${Array.from({ length: 20 }, (_, index) => index).join(", ")} or 2 more, is "x"`,
      ],
    ],
    ["Cents", 19.991, [" multipleOf: must be a multiple of 0.01, is 19.991"]],
    [
      "Set",
      [1, { a: 1, b: 2 }, "1", { b: 2, a: 1 }],
      [" uniqueItems: must not have equal items, items 1 and 3 are equal"],
    ],
    ["Some", [1, "a"], [' contains: must have at least 2 items that match "contains", has 1']],
    ["Some", [1, 2, 3], [' contains: must have at most 2 items that match "contains", has 3']],
    ["Sized", {}, [" minProperties: must have at least 1 property, has 0"]],
    ["Sized", { a: 1, b: 2, c: 3 }, [" maxProperties: must have at most 2 properties, has 3"]],
    ["Depends", { a: 1, c: 1 }, [' dependentRequired: lacks "b", which "a" demands']],
    [
      "Named",
      { AB: 1, a: 1 },
      [' propertyNames: has "AB", whose name must NOT have more than 1 characters'],
    ],
    [
      "Closed",
      { a: 1, "x-1": 1, "y/~": 1 },
      [' additionalProperties: has "y/~", which is not allowed here'],
    ],
    ["Never", { a: 1 }, ["/a not: is not allowed here"]],
    ["Never", { b: 1 }, [' not: must not match the schema in "not", is an object']],
    ["Branch", 11, [" multipleOf: must be a multiple of 10, is 11"]],
    ["Branch", 0, [" minimum: must be >= 1, is 0"]],
  ])("%s %j", (name, value, said) => {
    expect(say(name, value)).toEqual(said);
  });
});

describe("a union that no member accepts", () => {
  test.each<[string, unknown, string[]]>([
    ["Nullable", true, [" anyOf: must be a string, null or an integer, is true"]],
    ["Nullable", "a", [' minLength: must have at least 2 characters, is "a"']],
    ["Nullable", 1.5, [" type: must be an integer, is 1.5"]],
    ["Loose", 1, [" anyOf: must be a string, an object or an array, is 1"]],
    ["Loose", {}, [' const: must be {"a":[1]}, is an object']],
    ["Untagged", {}, [" anyOf: matches none of the 2 schemas here"]],
    ["Tagged", { kind: "b", y: "1" }, ['/y type: must be an integer, is "1"']],
    ["Tagged", { kind: "c" }, ['/kind enum: must be "a" or "b", is "c"']],
    ["Tagged", {}, [' required: lacks "kind"']],
    ["Tagged", 7, [" oneOf: must be an object, is 7"]],
  ])("%s %j", (name, value, said) => {
    expect(say(name, value)).toEqual(said);
  });

  test("oneOf with several names those that are references", () => {
    expect(say("Both", "a")).toEqual([
      " oneOf: matches 2 schemas here (Short and Text), and only one may hold",
    ]);
    expect(say("BothInPlace", "a")).toEqual([
      " oneOf: matches 2 schemas here, and only one may hold",
    ]);
  });
});

test("after a wrong type nothing else of the node is said; each fault is said once, in the order of the schema", () => {
  expect(say("Typed", 1)).toEqual([" type: must be a string, is 1"]);
  expect(say("Typed", "b")).toEqual([
    ' enum: must be "a", is "b"',
    ' minLength: must have at least 3 characters, is "b"',
  ]);
  expect(say("Order", { a: 1, b: 2 })).toEqual([
    ' additionalProperties: has "b", which is not allowed here',
    ' required: lacks "z"',
    "/b type: must be a string, is 2",
    "/a type: must be a string, is 1",
    ' required: lacks "y"',
  ]);
});

test("a recursive definition is nested in itself 100 times, and no deeper", () => {
  const nest = (depth: number): unknown[] => (depth === 0 ? [] : [nest(depth - 1)]);
  expect(say("Tree", nest(100))).toEqual([]);
  expect(say("Tree", nest(101))).toEqual([
    `${"/0".repeat(101)} nesting: is nested in itself more than 100 times`,
  ]);
  let deep: unknown[] = [];
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(say("Tree", [deep, 7])).toEqual([
    `${"/0".repeat(101)} nesting: is nested in itself more than 100 times`,
    "/1 type: must be an array, is 7",
  ]);
  // What failed before leaves nothing behind.
  expect(say("Tree", nest(100))).toEqual([]);
});

test("names that every object inherits are names like any other", () => {
  expect(say("Proto", JSON.parse('{"__proto__":"a","constructor":1}'))).toEqual([
    ' additionalProperties: has "constructor", which is not allowed here',
  ]);
  expect(say("Proto", JSON.parse('{"__proto__":1,"toString":"a"}'))).toEqual([
    ' required: lacks "constructor"',
    "/__proto__ type: must be a string, is 1",
    '/toString type: must be an integer, is "a"',
  ]);
});

test("values that JSON does not have are judged, too", () => {
  const values = [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    Symbol("a"),
    () => 1,
    new Date(0),
  ];
  for (const name of Object.keys(NODES)) {
    for (const value of values) {
      expect(module.is(name, value)).toBe(module.findErrors(name, value).length === 0);
      expect(module.is(name, { a: value })).toBe(
        module.findErrors(name, { a: value }).length === 0,
      );
    }
  }
  // No numbers, so keywords of numbers do not apply to them, as in Python and in Ajv.
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    expect(["Cents", "Branch"].map((name) => say(name, value))).toEqual([[], []]);
    expect(say("Nullable", value)).not.toEqual([]);
  }
});

test("equal items are found in linear time, however deep or alike they are", () => {
  const items = Array.from({ length: 50_000 }, (_, index) => ({ a: { b: [index, "x"] } }));
  expect(say("Set", items)).toEqual([]);
  let deep: unknown = 1;
  for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
  expect(say("Set", [deep, 1, copyNested(deep)])).toEqual([
    " uniqueItems: must not have equal items, items 0 and 2 are equal",
  ]);
});

/** A copy of nested arrays of one item. */
function copyNested(value: unknown): unknown {
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  let copy: unknown = 1;
  for (; depth > 0; depth -= 1) copy = [copy];
  return copy;
}

test("a guard of ten fields takes less than 4 kB of script, and has no messages", async () => {
  const fields: Record<string, SchemaNode> = {
    ...{ id: { type: "string", minLength: 1 }, name: { type: "string", maxLength: 80 } },
    ...{
      email: { type: "string", format: "email" },
      code: { type: "string", pattern: "^[A-Z]+$" },
    },
    ...{ age: { type: "integer", minimum: 0 }, score: { type: "number", maximum: 1 } },
    ...{ status: { enum: ["open", "closed"] }, tags: { type: "array", items: { type: "string" } } },
    parent: { anyOf: [{ type: "string" }, { type: "null" }] },
    address: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  };
  const nodes = { User: { type: "object", properties: fields, required: ["id"] } } as const;
  const user = await NodeModule.load(nodes);
  const { outputFiles } = await build({
    stdin: { contents: 'export { isUser } from "./out/validators.js"', resolveDir: user.folder },
    ...{ bundle: true, minify: true, write: false, format: "esm", platform: "browser" },
  });
  user.remove();
  const script = outputFiles[0]?.text ?? "";
  expect(script.length).toBeGreaterThan(500);
  expect(script.length).toBeLessThan(4000);
  expect(script).not.toContain("must be");
});
