import { expect, test } from "vitest";
import { childOf, HOLE, SchemaSet } from "./schema-set.js";
import type { Schema } from "./subschemas.js";

const inner = { $id: "inner", $anchor: "top", $defs: { x: { type: "string" } } };
const document = {
  $id: "https://a.example/outer",
  $ref: "#/$defs/a~1b",
  $defs: { "a/b": { minimum: 1 }, inner },
};

test("resolves references by pointer, by anchor, and to an embedded resource", () => {
  const set = new SchemaSet();
  const root = set.add(document, "schema:/");
  expect(set.resolve(root, "#/$defs/a~1b").schema).toBe(document.$defs["a/b"]);
  expect(set.resolve(root, "inner#/$defs/x").schema).toBe(inner.$defs.x);
  expect(set.resolve(root, "inner#top").schema).toBe(inner);
  expect(set.resolve(root, "https://a.example/inner").schema).toBe(inner);
});

test("resolves references inside a document whose $id is a URN", () => {
  const set = new SchemaSet();
  const uri = "urn:x:order:v1";
  const root = set.add({ ...document, $id: uri }, "schema:/");
  const other = set.add({ $id: "urn:x:other:v1", $ref: `${uri}#/$defs/a~1b` }, "schema:/other");
  for (const [from, reference] of [
    [root, "#/$defs/a~1b"],
    [root, `${uri}#/$defs/a~1b`],
    [other, `${uri}#/$defs/a~1b`],
  ] as const) {
    expect(set.resolve(from, reference)).toMatchObject({ uri, schema: { minimum: 1 } });
  }
  expect(set.resolve(root, "#").schema).toBe(root.schema);
});

test("pointers inside an embedded resource start at that resource", () => {
  const set = new SchemaSet();
  const within = childOf(set.add(document, "schema:/"), "/$defs/inner");
  expect([within.uri, within.pointer]).toEqual(["https://a.example/inner", ""]);
  expect(set.resolve(within, "#/$defs/x").schema).toBe(inner.$defs.x);
});

test("a reference out of the set leads to a hole, and is never fetched", () => {
  const set = new SchemaSet();
  const root = set.add({ $ref: "https://b.example/x" }, "schema:/");
  expect(set.resolve(root, "https://b.example/x").schema).toEqual({
    [HOLE]: "https://b.example/x",
  });
  expect(set.resolve(root, "#/$defs/none").schema).toEqual({ [HOLE]: "schema:/#/$defs/none" });
});

test("a schema is located by object identity", () => {
  const set = new SchemaSet();
  set.add(document, "schema:/");
  expect(set.locate(inner.$defs.x)).toMatchObject({ pointer: "/$defs/x" });
  expect(set.locate({ ...inner })).toBeUndefined();
});

test("a name that two different schemas have is ambiguous", () => {
  const twice = (one: Schema, other: Schema) => {
    const set = new SchemaSet();
    return [set, set.add({ $defs: { one, other } }, "https://a.example/")] as const;
  };
  const string = { $id: "b", type: "string" };
  const [same, root] = twice(string, { ...string });
  expect(same.resolve(root, "b").schema).toEqual(string);
  const [other, from] = twice(string, { $id: "b" });
  expect(other.resolve(from, "b").schema).toEqual({
    [HOLE]: "https://a.example/b (several schemas have this name)",
  });
  const [anchors, at] = twice({ $anchor: "b" }, { $anchor: "b", type: "string" });
  expect(anchors.resolve(at, "#b").schema).toEqual({
    [HOLE]: "https://a.example/#b (several schemas have this name)",
  });
  const both = new SchemaSet();
  const named = both.add({ $anchor: "b", $dynamicAnchor: "b" }, "https://a.example/");
  expect(both.resolve(named, "#b")).toEqual(named);
});
