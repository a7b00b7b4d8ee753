import { expect, test } from "vitest";
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
  expect(root.set.rename("schema:/#/$defs/a")).toBe("a.json#/$defs/a");
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
