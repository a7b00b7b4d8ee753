import { expect, test } from "vitest";
import type { DerivedFixture } from "./fixtures.js";
import { printFixture } from "./fixtures.js";

const derived: DerivedFixture = {
  type: "PpoRecord",
  kind: "invalid",
  names: ["empty-id", "empty-provenance-id"],
  why: "The id is empty.",
  record: { list: [1, 2], none: [], deep: { list: [{ a: 1 }] } },
  failures: new Set(["/b c minLength", "/a type"]),
};

const never = (): boolean => false;

test("an invalid fixture expects all its failures, by pointer; a pointer may hold a space", () => {
  const { file, text } = printFixture(derived, never);
  expect(file).toBe("fixtures/invalid/PpoRecord/empty-id.json");
  expect(JSON.parse(text)).toEqual({
    why: derived.why,
    record: derived.record,
    expect: [
      { pointer: "/a", keyword: "type" },
      { pointer: "/b c", keyword: "minLength" },
    ],
  });
});

test("a valid fixture expects nothing", () => {
  const { file, text } = printFixture({ ...derived, kind: "valid", failures: new Set() }, never);
  expect(file).toBe("fixtures/valid/PpoRecord/empty-id.json");
  expect(JSON.parse(text)).toEqual({ why: derived.why, record: derived.record });
});

test("the shortest name that is free, else the longest with a number", () => {
  const taken = new Set<string>();
  const names = Array.from({ length: 4 }, () => {
    const { file } = printFixture(derived, (other) => taken.has(other));
    taken.add(file);
    return file.replace(/^.*\//, "");
  });
  expect(names).toEqual([
    "empty-id.json",
    "empty-provenance-id.json",
    "empty-provenance-id-2.json",
    "empty-provenance-id-3.json",
  ]);
});

test("plain lists stand on one line, as the formatter leaves them, unless that is too long", () => {
  const long = Array.from({ length: 60 }, (_, index) => index);
  const { text } = printFixture({ ...derived, record: { list: [1, "a"], long } }, never);
  expect(text).toContain('    "list": [1, "a"],\n    "long": [\n      0,\n      1,\n');
  expect(text.endsWith("}\n")).toBe(true);
});
