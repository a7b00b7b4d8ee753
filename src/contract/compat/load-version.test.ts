import { expect, test } from "vitest";
import { compareVersions } from "./compare-versions.js";
import { type LoadedVersion, loadVersion } from "./load-version.js";

function load(text: string, ...others: readonly string[]): LoadedVersion {
  return loadVersion({ name: "a.json", text, others: others.map((other) => ({ text: other })) });
}

test("a repeated key is refused, with its position, since readers differ in which one counts", () => {
  expect(() => load('{\n "type": "string",\n "type": "number"}')).toThrow(
    'a.json:3:2  /type has a second value under the key "type": remove one of the two',
  );
});

test("invalid JSON is refused, with its position", () => {
  expect(() => load('{\n "type": }')).toThrow(/^a\.json:2:10 {2}is /);
});

test("the dialect may have an empty fragment", () => {
  const dialect = "https://json-schema.org/draft/2020-12/schema";
  expect(load(`{"$schema": "${dialect}#"}`).root.pointer).toBe("");
  expect(() => load(`{"$schema": "${dialect}#/x"}`)).toThrow("has the dialect");
  expect(() => load('{"$schema": "http://json-schema.org/draft-03/schema#"}')).toThrow(
    "has the dialect http://json-schema.org/draft-03/schema#",
  );
});

test("messages use the names of the documents", () => {
  const other = '{"$id": "https://a.example/other", "$defs": {"x": {"$id": "x", "type": "null"}}}';
  const { root } = load('{"$ref": "https://a.example/other"}', other);
  const names = [root, root.set.resolve(root, "https://a.example/x")].map((location) =>
    root.set.describe(location),
  );
  expect(names).toEqual(["a.json", "https://a.example/other (x)"]);
});

test("a schema that is too large or nested too deeply is refused", () => {
  const padded = `{"type": "string"${" ".repeat(17 * 2 ** 20)}}`;
  expect(() => load(padded)).toThrow(
    /^a\.json: has 1\d.* MB: schemas of up to 1\d.* can be compared$/,
  );
  const deep = (levels: number) =>
    `${'{"properties":{"a":'.repeat(levels)}true${"}}".repeat(levels)}`;
  expect(() => load(deep(5000))).toThrow("a.json: is nested more than 200 levels deep");
  expect(() => load('{"minimum": 1e400}')).toThrow("is a number beyond a double");
});

test.each<[object, string]>([
  [{ not: { $ref: "#" } }, "a.json /not"],
  [{ if: { $ref: "#" }, else: false }, "a.json /if"],
  [{ oneOf: [{ $ref: "#" }, true] }, "a.json /oneOf/0"],
  [
    { type: "object", dependentSchemas: { a: { not: { $ref: "#" } } } },
    "a.json /dependentSchemas/a/not",
  ],
  [{ properties: { x: { not: { $ref: "#/properties/x" } } } }, "a.json /properties/x/not"],
  [
    { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } } },
    "a.json /$defs/a/allOf/0",
  ],
])(
  "%j refers to itself without end: it is refused, or nobody knows what it accepts",
  (schema, place) => {
    const text = JSON.stringify(schema);
    expect(() => load(text)).toThrow(`${place}: refers to itself without end`);
    const source = { name: "a.json", text, others: [] };
    const looped = loadVersion(source, "annotate", { toleratesFaults: true });
    expect(looped.faults).toEqual([`${place}: refers to itself without end`]);
    const plain = load(JSON.stringify({ type: ["string", "number", "object"] }));
    expect(compareVersions(plain.root, looped.root).backward).not.toBe("compatible");
    expect(compareVersions(looped.root, looped.root).bump).toBe("none");
  },
);

test("a schema that refers to itself for a part of the value, or where nothing reaches it, is no fault", () => {
  const tree = { properties: { a: { $ref: "#" } }, anyOf: [{ items: { $ref: "#" } }, true] };
  expect(load(JSON.stringify({ ...tree, $defs: { b: { $ref: "#/$defs/b" } } })).faults).toEqual([]);
});

test("a fault of a schema that only a reference makes one is a fault", () => {
  const text = '{"items": {"$ref": "#/properties"}, "properties": {"type": {"const": 1}}}';
  const place = "a.json /properties/type: is not a schema of draft 2020-12:";
  expect(() => load(text)).toThrow(place);
  const source = { name: "a.json", text, others: [] };
  const { faults } = loadVersion(source, "annotate", { toleratesFaults: true });
  expect(faults).toEqual([expect.stringContaining(place)]);
});
