import { expect, test } from "vitest";
import { listChangedDefinitions } from "./changed-definitions.js";

const text = { type: "string" };
const A = { type: "object", properties: { a: text, b: text }, required: ["a"] };

/** The changes between two definitions A, as a changelog names them. */
function listParts(after: object): readonly string[] {
  const changed = listChangedDefinitions({ $defs: { A } }, { $defs: { A: after } });
  return changed.flatMap(({ parts }) => parts);
}

test.each<[what: string, after: object, parts: string[]]>([
  ["nothing", { ...A }, []],
  ["the order of keys", { required: A.required, properties: A.properties, type: A.type }, []],
  ["a new property", { ...A, properties: { ...A.properties, c: text } }, ["A.c"]],
  ["a removed property", { ...A, properties: { a: text } }, ["A.b"]],
  [
    "a property with an additional keyword",
    { ...A, properties: { a: text, b: { ...text, minLength: 1 } } },
    ["A.b"],
  ],
  ["a newly required property", { ...A, required: ["a", "b"] }, ["A.b"]],
  ["a property that is no longer required", { ...A, required: [] }, ["A.a"]],
  ["another keyword", { ...A, additionalProperties: false }, ["A"]],
  ["both", { ...A, additionalProperties: false, properties: { a: text } }, ["A", "A.b"]],
  ["the order of required names", { ...A, required: ["b", "a"] }, ["A.b"]],
])("%s", (_what, after, parts) => {
  expect(listParts(after)).toEqual(parts);
});

test("added and removed definitions", () => {
  const [before, after] = [{ $defs: { A, B: text } }, { $defs: { A, C: text } }];
  expect(listChangedDefinitions(before, after)).toEqual([
    { name: "B", kind: "removed", parts: ["B"] },
    { name: "C", kind: "added", parts: ["C"] },
  ]);
});

test("a definition that becomes a record type, or is no longer one", () => {
  const entry = { anyOf: [{ $ref: "#/$defs/A" }] };
  const changed = [{ name: "A", kind: "changed", parts: ["A"] }];
  expect(listChangedDefinitions({ $defs: { A } }, { ...entry, $defs: { A } })).toEqual(changed);
  expect(listChangedDefinitions({ ...entry, $defs: { A } }, { $defs: { A } })).toEqual(changed);
});

test("all definitions, if there was no version before", () => {
  const names = listChangedDefinitions(undefined, { $defs: { A, B: text } });
  expect(names.map(({ name, kind }) => [name, kind])).toEqual([
    ["A", "added"],
    ["B", "added"],
  ]);
});
