import { expect, test } from "vitest";
import { FieldHistory } from "./field-history.js";

const withFields = (...names: readonly string[]) => ({
  $defs: { A: { properties: Object.fromEntries(names.map((name) => [name, {}])) } },
});

const history = new FieldHistory([
  { version: "1.3.0", document: withFields("new", "back", "old") },
  { version: "1.2.0", document: withFields("old", "gone") },
  { version: "1.1.0", document: withFields("old", "back", "gone") },
  { version: "1.0.0", document: { definitions: { A: { properties: { old: {} } } } } },
  { version: "0.9.0", document: { properties: { old: {} } } },
]);

test.each([
  ["a new field", "new", "1.3.0"],
  ["a field that was removed and came back", "back", "1.3.0"],
  ["an old field, whatever the keyword of its definition", "old", "1.0.0"],
])("%s", (_what, field, version) => {
  expect(history.since("A", field)).toBe(version);
});

test("a type, and the document itself", () => {
  expect(history.since("A")).toBe("1.0.0");
  expect(history.since("")).toBe("0.9.0");
});

test("a field that a type inherits is there since it does, also if it is its own later", () => {
  const B = { properties: { b: {} } };
  const allOf = [{ $ref: "#/$defs/B" }];
  const versions = new FieldHistory([
    { version: "3.0.0", document: { $defs: { A: { allOf, ...B }, B } } },
    { version: "2.0.0", document: { $defs: { A: { allOf }, B } } },
    { version: "1.0.0", document: { $defs: { A: {}, B } } },
  ]);
  expect([versions.since("B", "b"), versions.since("A", "b")]).toEqual(["1.0.0", "2.0.0"]);
});
