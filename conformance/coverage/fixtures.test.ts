import { expect, test } from "vitest";
import { linkTypes } from "../../src/contract/codegen/testing/link-types.js";
import type { DerivedFixture } from "./fixtures.js";
import { printFixture } from "./fixtures.js";
import { type CheckedFixture, Evaluator } from "./mutants.js";

const definitions = linkTypes({ PpoRecord: { type: "object" } });

const origin: CheckedFixture = {
  ...{ type: "PpoRecord", kind: "valid", name: "small", file: "a.json", pointer: "/valid/0" },
  isBase: false,
  content: { record: { id: "x", a: 1 } },
};

const derived: DerivedFixture = {
  type: "PpoRecord",
  kind: "invalid",
  names: ["empty-id", "empty-provenance-id"],
  why: "The id is empty.",
  record: { id: "", a: 1 },
  origin,
  failures: new Set(["/b c minLength", "/a type"]),
};

const evaluator = (): Evaluator => new Evaluator([], definitions);

test("an invalid fixture expects all its failures, by pointer; a pointer may hold a space", () => {
  const { file, value, text } = printFixture(derived, evaluator());
  expect(file).toBe("fixtures/suites/PpoRecord.json");
  expect(value).toEqual({
    name: "empty-id",
    why: derived.why,
    from: "small",
    set: { "/id": "" },
    expect: [
      { pointer: "/a", keyword: "type" },
      { pointer: "/b c", keyword: "minLength" },
    ],
  });
  expect(JSON.parse(text)).toEqual(value);
});

test("a valid fixture expects nothing", () => {
  const { value } = printFixture({ ...derived, kind: "valid", failures: new Set() }, evaluator());
  expect(value).toEqual({
    ...{ name: "empty-id", why: derived.why },
    ...{ from: "small", set: { "/id": "" } },
  });
});

test.each<[what: string, change: Partial<DerivedFixture>, content: object]>([
  ["an edit of the base", { origin: { ...origin, isBase: true } }, { set: { "/id": "" } }],
  ["a record made from the schema alone", { origin: undefined }, { record: derived.record }],
  ["a completely different value", { record: null }, { record: null }],
])("%s", (_what, change, content) => {
  const { value } = printFixture({ ...derived, ...change }, evaluator());
  const { name: _, why: _why, expect: _expect, ...rest } = value;
  expect(rest).toEqual(content);
});

test("the shortest free name, or else the longest with a number", () => {
  const known = evaluator();
  const names = Array.from({ length: 4 }, () => {
    const { value, fixture } = printFixture(derived, known);
    known.add(fixture);
    return value.name;
  });
  expect(names).toEqual([
    "empty-id",
    "empty-provenance-id",
    "empty-provenance-id-2",
    "empty-provenance-id-3",
  ]);
});
