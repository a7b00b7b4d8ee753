import { expect, test } from "vitest";
import { compareVersions } from "../compare-versions.js";
import { SchemaSet } from "../schema/schema-set.js";
import type { Schema } from "../schema/subschemas.js";

const a = { type: "string" };
const b = { type: "integer" };
const object = (properties: object, rest: object = {}) => ({
  ...{ type: "object", properties, ...rest },
});
const kind = (value: string, properties: object) =>
  object({ kind: { const: value }, ...properties }, { required: ["kind"] });
const $defs = { Left: {}, Right: {}, One: { enum: ["one"] }, Two: { enum: ["two"] } };

/** Members before and after: in all, property `a` of the first changed from `a` to `b`, or it has another definition. */
const CASES: Readonly<
  Record<string, readonly [before: readonly Schema[], after: readonly Schema[]]>
> = {
  "a constant of all, beside one that changed": [
    [kind("one", { a, v: { const: 1 } }), kind("two", { a, v: { const: 1 } })],
    [kind("two", { a, v: { const: 2 }, x: a }), kind("one", { a: b, v: { const: 2 }, y: a })],
  ],
  "an enum of one value behind a reference": [
    [object({ kind: { $ref: "#/$defs/One" }, a }), object({ kind: { $ref: "#/$defs/Two" }, a })],
    [
      object({ kind: { $ref: "#/$defs/Two" }, a, x: a }),
      object({ kind: { $ref: "#/$defs/One" }, a: b, y: a, z: a }),
    ],
  ],
  "a title": [
    [object({ a }, { title: "One" }), object({ a }, { title: "Two" })],
    [object({ a, x: a }, { title: "Two" }), object({ a: b, y: a }, { title: "One" })],
  ],
  "a reference inside of allOf": [
    [
      { allOf: [{ $ref: "#/$defs/Left" }], ...object({ a }) },
      { allOf: [{ $ref: "#/$defs/Right" }], ...object({ a }) },
    ],
    [
      { allOf: [{ $ref: "#/$defs/Right" }], ...object({ a, x: a }) },
      { allOf: [{ $ref: "#/$defs/Left" }], ...object({ a: b, y: a }) },
    ],
  ],
  "mostly the same properties": [
    [object({ a, one: a, other: a }), object({ a, two: a, more: a })],
    [object({ a, two: a, more: b }), object({ a: b, one: a, other: a })],
  ],
  "one object besides a string": [
    [object({ a, one: a }), { type: "string" }],
    [{ type: "string", minLength: 1 }, object({ a: b, two: a, three: a })],
  ],
};

test.each(Object.entries(CASES))("members are matched by %s", (_, [before, after]) => {
  for (const keyword of ["anyOf", "oneOf"]) {
    const [older, newer] = [before, after].map((members) => {
      const property = { properties: { x: { [keyword]: members } }, $defs };
      return new SchemaSet().add(property, "schema:/");
    });
    if (older === undefined || newer === undefined) throw new Error("two versions are needed");
    const { changes } = compareVersions(older, newer);
    const messages = changes.map(({ path, message }) => `/${path.join("/")} ${message}`);
    expect(messages).toContain("/x/a allows other types: was string, is integer");
    expect(messages.filter((message) => /longer a member|now a member/.test(message))).toEqual([]);
  }
});

test("a member without a definition is called by its title or its constant", () => {
  const members = [object({ a }, { title: "One" }), kind("two", { a: b }), { type: "null" }];
  const [older, newer] = [members, [{ type: "string" }]].map((anyOf) =>
    new SchemaSet().add({ properties: { x: { anyOf } } }, "schema:/"),
  );
  if (older === undefined || newer === undefined) throw new Error("two versions are needed");
  const { changes } = compareVersions(older, newer);
  expect(changes.map(({ message }) => message)).toEqual([
    "One is no longer a member",
    'kind "two" is no longer a member',
    "anyOf 2 is no longer a member",
    "anyOf 0 is now a member",
  ]);
});
