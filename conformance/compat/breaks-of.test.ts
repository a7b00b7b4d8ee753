import { expect, test } from "vitest";
import { breaksOf } from "./breaks-of.js";
import { compareVersions } from "./compare-versions.js";
import { fingerprintOf } from "./fingerprint-finding.js";
import { SchemaSet } from "./schema-set.js";
import type { Schema } from "./subschemas.js";

const ID = "https://example.org/thing/v1";

function find(before: Schema, after: Schema, lens?: "declared-writer") {
  const rootOf = (schema: Schema) =>
    new SchemaSet().add(typeof schema === "object" ? { $id: ID, ...schema } : schema, ID);
  const roots = { old: rootOf(before), new: rootOf(after) };
  return breaksOf(compareVersions(roots.old, roots.new), roots, lens);
}

test("what breaks, with where the reader has it, the proof, and the fingerprint of all that", () => {
  const identity = {
    rule: "required",
    pointer: "",
    lens: "validate",
    direction: "backward" as const,
    schema: ID,
  };
  expect(find({ type: "object" }, { type: "object", required: ["a"] })).toEqual([
    {
      ...identity,
      fingerprint: fingerprintOf(identity),
      verdict: "breaking",
      entry: "",
      message: 'lacks "a"',
      witness: {},
    },
  ]);
});

test("both directions, and the lens that it was seen through", () => {
  const found = find({ const: 1 }, { const: 2 }, "declared-writer");
  expect(found.map(({ direction, lens }) => [direction, lens])).toEqual([
    ["backward", "declared-writer"],
    ["forward", "declared-writer"],
  ]);
});

test("types that break at the same place break once", () => {
  const types = (text: object) => ({
    anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }],
    $defs: { A: { $ref: "#/$defs/T" }, B: { $ref: "#/$defs/T" }, T: text },
  });
  expect(find(types({ type: "string" }), types({ type: "string", minLength: 1 }))).toMatchObject([
    { rule: "minLength", pointer: "/$defs/T" },
  ]);
});

test("what nobody can say counts as well, with the reason", () => {
  expect(find({ type: "object" }, { type: "object", $dynamicRef: "#" })).toMatchObject([
    {
      rule: "undecided",
      verdict: "undecided",
      direction: "backward",
      message: expect.stringMatching(/./),
    },
  ]);
});

test("nothing for what is compatible", () => {
  expect(find({ type: "string" }, { type: "string", title: "x" })).toEqual([]);
});
