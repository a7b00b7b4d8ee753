import { expect, test } from "vitest";
import { linkFiles } from "./front/link-files.js";
import type { SchemaFile } from "./front/parse-files.js";
import { requireProfile } from "./profile.js";

function source(
  name: string,
  $defs: Record<string, unknown>,
  entryTypes: string[] = [],
  tier: SchemaFile["tier"] = "wire",
): SchemaFile {
  const anyOf = entryTypes.map((type) => ({ $ref: `#/$defs/${type}` }));
  const $id = `https://example.com/${name}`;
  const document = { $id, ...(anyOf.length > 0 && { anyOf }), $defs };
  const bytes = Buffer.from(JSON.stringify(document));
  return { path: `schema/${name}.schema.json`, bytes, tier };
}

function check(...files: SchemaFile[]): void {
  requireProfile(linkFiles(files, { formats: "assert" }));
}

const object = (properties: unknown, rest: object = {}) => ({
  type: "object",
  properties,
  ...rest,
});
const field = (node: unknown) => ({ A: object({ x: node }) });
const string = { type: "string" };

test("the profile accepts every supported feature", () => {
  check(
    source("a", {
      A: object(
        { x: string, "a-b": { $ref: "#/$defs/B", description: "B." } },
        { required: ["x"], additionalProperties: false },
      ),
      B: { type: ["integer", "null"], minimum: -1.5, description: "Any\nlines." },
      C: object({ y: { type: "array", items: { type: "array", items: string } } }),
      D: object({ z: { enum: ["a", 1, true, null] } }, { allOf: [{ $ref: "#/$defs/C" }] }),
      E: { type: "object", additionalProperties: { type: "number" } },
      F: { type: ["object", "string"] },
    }),
  );
});

test.each<[string, Record<string, unknown>]>([
  ["cannot name a type", { a: string }],
  ["cannot name a type", { "A-b": string }],
  ['uses "not"', field(false)],
  ['uses "not"', field({ type: "array", items: false })],
  ['uses "oneOf"', field({ oneOf: [string] })],
  ['uses "minProperties"', field({ type: "object", minProperties: 1 })],
  ['uses "allOf" in a definition', field({ allOf: [{ $ref: "#/$defs/A" }] })],
  ['has "minLength" beside "$ref"', { ...field({ $ref: "#/$defs/B", minLength: 1 }), B: string }],
  ["is of type null alone", field({ type: "null" })],
  ['has "minLength" beside several types', field({ type: ["string", "integer"], minLength: 1 })],
  ['has "items" beside several types', field({ type: ["array", "number"], items: string })],
  ['has "minimum" beside several types, or none', field({ minimum: 1 })],
  ['has a "maximum" beyond 2^53 - 1', field({ type: "integer", maximum: 2 ** 53 })],
  ["has an enum or const of more than", field({ enum: [{}] })],
  ["has an enum or const of more than", field({ enum: [0.5] })],
  ["has an enum or const of more than", field({ const: 2 ** 53 })],
  ["has an enum or const of more than", field({ const: null })],
  ["allows 1, which is not of its type", field({ type: "string", enum: ["a", 1] })],
  [
    'has "properties" but not the type object alone',
    field({ type: ["object", "null"], properties: { y: string } }),
  ],
  ["is a closed object without properties", field({ type: "object", additionalProperties: false })],
  [
    'has a schema as "additionalProperties"',
    field(object({ y: string }, { additionalProperties: string })),
  ],
  ['has a property "constructor"', { A: object({ constructor: string }) }],
  ['has a property "$ref"', { A: object({ $ref: string }) }],
  ['has a property ""', { A: object({ "": string }) }],
  [
    'has "a_b" and "a-b", which are one name in Python',
    { A: object({ a_b: string, "a-b": string }) },
  ],
  ["has the pattern (?<=a)b: lookbehind", field({ ...string, pattern: "(?<=a)b" })],
  ['has the format "regex"', field({ ...string, format: "regex" })],
  ["is nested more than 8 levels deep", field(nestedArray(10))],
  ["refers to itself: A > A", field({ type: "array", items: { $ref: "#/$defs/A" } })],
  [
    "refers to itself: A > B > A",
    { ...field({ $ref: "#/$defs/B" }), B: { type: "array", items: { $ref: "#/$defs/A" } } },
  ],
  [
    'has "allOf" but is not an open object',
    { A: { allOf: [{ $ref: "#/$defs/B" }] }, B: object({ y: string }) },
  ],
  [
    'has "allOf" but is not an open object',
    {
      A: object({ x: string }, { allOf: [{ $ref: "#/$defs/B" }], additionalProperties: false }),
      B: object({ y: string }),
    },
  ],
  ['is more than a "$ref"', { A: object({}, { allOf: [{ type: "object", minProperties: 1 }] }) }],
  [
    "refers to a definition that is not an open object",
    { A: object({}, { allOf: [{ $ref: "#/$defs/B" }] }), B: string },
  ],
  [
    "refers to a definition that is not an open object",
    {
      A: object({}, { allOf: [{ $ref: "#/$defs/B" }] }),
      B: { $ref: "#/$defs/C" },
      C: object({ y: string }),
    },
  ],
  [
    'declares "y" again',
    { A: object({ y: {} }, { allOf: [{ $ref: "#/$defs/B" }] }), B: object({ y: string }) },
  ],
])("outside of the profile: %s", (message, $defs) => {
  expect(() => check(source("a", $defs))).toThrow(message);
});

test("a record type is an object with properties", () => {
  expect(() => check(source("a", { A: { type: "object" } }, ["A"]))).toThrow("is a record type");
});

test("schemas may not refer to each other in a cycle", () => {
  const a = source("a", { A: string, B: { $ref: "https://example.com/b#/$defs/C" } });
  const b = source("b", { C: string, D: { $ref: "https://example.com/a#/$defs/A" } });
  expect(() => check(a, b)).toThrow(
    "schema/a.schema.json > schema/b.schema.json > schema/a.schema.json",
  );
});

function nestedArray(depth: number): object {
  return depth === 0 ? string : { type: "array", items: nestedArray(depth - 1) };
}

test("a wire schema does not refer to a tool schema, which has no code in Python; the other way is fine", () => {
  const [wire, tool] = (["wire", "tool"] as const).map((tier) => (name: string, $ref?: string) => {
    const node = $ref === undefined ? string : { $ref };
    return source(name, { [name.toUpperCase()]: object({ x: node }) }, [], tier);
  });
  const target = "https://example.com/a#/$defs/A";
  const checkBoth = (one = wire, other = wire) => {
    if (one && other) check(one("a"), other("b", target));
  };
  for (const [one, other] of [
    [wire, wire],
    [wire, tool],
    [tool, tool],
  ])
    checkBoth(one, other);
  expect(() => checkBoth(tool, wire)).toThrow(
    'refers to A, but schema/a.schema.json is of tier "tool"',
  );
});
