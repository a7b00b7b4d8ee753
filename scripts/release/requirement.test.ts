import { expect, test } from "vitest";
import { listChangedDefinitions } from "./requirement.js";

const text = { type: "string" };
const A = { type: "object", properties: { a: text, b: text }, required: ["a"] };

/** What has changed when definition A becomes another, as a changelog names it. */
function listParts(after: object): readonly string[] {
  const changed = listChangedDefinitions({ $defs: { A } }, { $defs: { A: after } });
  return changed.flatMap(({ parts }) => parts);
}

test.each<[what: string, after: object, parts: string[]]>([
  ["nothing", { ...A }, []],
  ["the order of keys", { required: A.required, properties: A.properties, type: A.type }, []],
  ["a new property", { ...A, properties: { ...A.properties, c: text } }, ["A.c"]],
  ["a property that is gone", { ...A, properties: { a: text } }, ["A.b"]],
  ["one that says more", { ...A, properties: { a: text, b: { ...text, minLength: 1 } } }, ["A.b"]],
  ["one that is required", { ...A, required: ["a", "b"] }, ["A.b"]],
  ["one that no longer is", { ...A, required: [] }, ["A.a"]],
  ["another keyword", { ...A, additionalProperties: false }, ["A"]],
  ["both", { ...A, additionalProperties: false, properties: { a: text } }, ["A", "A.b"]],
  ["the order of required names", { ...A, required: ["b", "a"] }, ["A.b"]],
])("%s", (_what, after, parts) => {
  expect(listParts(after)).toEqual(parts);
});

test("definitions that come and go", () => {
  const [before, after] = [{ $defs: { A, B: text } }, { $defs: { A, C: text } }];
  expect(listChangedDefinitions(before, after)).toEqual([
    { name: "B", kind: "removed", parts: ["B"] },
    { name: "C", kind: "added", parts: ["C"] },
  ]);
});

test("one that becomes a type of records, or is none any more", () => {
  const entry = { anyOf: [{ $ref: "#/$defs/A" }] };
  const changed = [{ name: "A", kind: "changed", parts: ["A"] }];
  expect(listChangedDefinitions({ $defs: { A } }, { ...entry, $defs: { A } })).toEqual(changed);
  expect(listChangedDefinitions({ ...entry, $defs: { A } }, { $defs: { A } })).toEqual(changed);
});

test("all, when there was none before", () => {
  const names = listChangedDefinitions(undefined, { $defs: { A, B: text } });
  expect(names.map(({ name, kind }) => [name, kind])).toEqual([
    ["A", "added"],
    ["B", "added"],
  ]);
});
