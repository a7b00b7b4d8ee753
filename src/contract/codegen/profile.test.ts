import { expect, test } from "vitest";
import { linkFiles } from "./front/link-files.js";
import type { SchemaFile } from "./front/parse-files.js";
import { findProfileFaults, requireProfile } from "./profile.js";

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

test.each<[string, Record<string, unknown>]>([
  ["unions", field({ oneOf: [string, { anyOf: [{ type: "null" }, { not: string }] }] })],
  ["conditions", field({ if: string, else: { type: "null" } })],
  ["keywords beside a reference", { ...field({ $ref: "#/$defs/B", minLength: 1 }), B: string }],
  [
    "keywords of several types, or of none",
    field({ type: ["string", "array"], minimum: 1, items: string }),
  ],
  ["literals of any kind", field({ enum: [{}, [0.5], null, 2 ** 53], type: "string" })],
  [
    "closed objects, and objects of other keys",
    field({ additionalProperties: false, patternProperties: { "^a": string } }),
  ],
  ["tuples", field({ prefixItems: [string], items: false, contains: string, uniqueItems: true })],
  [
    "any name of a property",
    { A: object({ constructor: string, $ref: string, "": string, a_b: {}, "a-b": {} }) },
  ],
  [
    "recursion",
    {
      ...field({ $ref: "#/$defs/B" }),
      B: { items: { $ref: "#/$defs/A" }, not: { $ref: "#/$defs/C" } },
      C: object({ c: { $ref: "#/$defs/C" } }),
    },
  ],
  [
    "bases of any kind",
    {
      A: { allOf: [{ $ref: "#/$defs/B" }, { maxLength: 1 }, object({ y: {} })] },
      B: { allOf: [string] },
    },
  ],
  [
    "an enum of 10,000 members",
    field({ enum: Array.from({ length: 10_000 }, (_, at) => `m${at}`) }),
  ],
  ["nesting", field(nestedArray(45))],
  ["groups with names", field({ pattern: "^(?<year>\\d{4})\\(?<b>?$" })],
])("inside of the profile: %s", (_, $defs) => {
  expect(() => check(source("a", $defs))).not.toThrow();
});

test.each<[string, Record<string, unknown>]>([
  ["has the pattern (?<=a)b: lookbehind", field({ ...string, pattern: "(?<=a)b" })],
  ["has the pattern (?<=a)b: lookbehind", field({ patternProperties: { "(?<=a)b": {} } })],
  ['has a pattern that needs the flag "u" to be off: ^{a$', field({ pattern: "^{a$" })],
  ["can take very long on some texts: ^(a|a)*$", field({ propertyNames: { pattern: "^(a|a)*$" } })],
  ["can take very long on some texts", field({ pattern: "^(?<a>a|a)*$" })],
  ['has the format "regex"', field({ ...string, format: "regex" })],
  ["is nested more than 100 levels deep", field(nestedArray(100))],
])("outside of the profile: %s", (message, $defs) => {
  expect(() => check(source("a", $defs))).toThrow(message);
});

test("all places of all files are told at once", () => {
  const files = ["a", "b"].map((name) =>
    source(
      name,
      field({ anyOf: [{ pattern: "(?<=a)" }, { pattern: "a+$" }, { $ref: "#/$defs/C" }] }),
    ),
  );
  const found = findProfileFaults(linkFiles(files, { formats: "assert" }));
  const places = ["/2/$ref", "/0/pattern", "/1/pattern"].map(
    (at) => `/$defs/A/properties/x/anyOf${at}`,
  );
  expect(found.map(({ file, pointer }) => `${file} ${pointer}`).sort()).toEqual(
    files.flatMap(({ path }) => places.map((place) => `${path} ${place}`)).sort(),
  );
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
