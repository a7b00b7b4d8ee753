import fc from "fast-check";
import { expect, test } from "vitest";
import { resolvePointer } from "./pointer.js";
import { findUnexportable, MAX_NESTING } from "./unexportable.js";

function nested(depth: number): unknown {
  return JSON.parse("[".repeat(depth) + "]".repeat(depth));
}

test("ordinary parsed JSON passes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(findUnexportable(JSON.parse(JSON.stringify(value)))).toBeUndefined();
    }),
  );
});

test.each([
  ["1e400", "Infinity"],
  ["-1e400", "-Infinity"],
])("a number that no double holds: %s", (number, read) => {
  const value: unknown = JSON.parse(`{"ok": [1e308], "a/b": [0, {"~": ${number}}]}`);
  const found = findUnexportable(value);
  expect(found).toEqual({
    id: "number-range",
    pointer: "/a~1b/1/~0",
    message: `beyond the range of numbers, read as ${read}: cannot be exported`,
  });
  expect(resolvePointer(value, found?.pointer ?? "")).toBe(Number(read));
});

test("nesting counts arrays and objects; the pointer names the outer levels", () => {
  const message = "nested more than 400 levels deep: cannot be exported";
  expect(findUnexportable(nested(MAX_NESTING))).toBeUndefined();
  expect(findUnexportable(nested(MAX_NESTING + 1))).toEqual({
    id: "nesting-depth",
    pointer: "/0/0/0/0",
    message,
  });
  const record = (depth: number) => ({ calls: ["x", { data: { args: nested(depth) } }] });
  expect(findUnexportable(record(MAX_NESTING - 4))).toBeUndefined();
  expect(findUnexportable(record(MAX_NESTING - 3))).toMatchObject({
    pointer: "/calls/1/data/args",
  });
});

test("a number at the maximum depth keeps its whole pointer", () => {
  const value: unknown = JSON.parse(`${"[".repeat(MAX_NESTING)}1e400${"]".repeat(MAX_NESTING)}`);
  expect(findUnexportable(value)).toMatchObject({
    id: "number-range",
    pointer: "/0".repeat(MAX_NESTING),
  });
});

test("the first problem is reported", () => {
  const [deep, large]: unknown[] = [nested(MAX_NESTING + 1), Number.POSITIVE_INFINITY];
  expect(findUnexportable([deep, large])).toMatchObject({ id: "nesting-depth" });
  expect(findUnexportable([large, deep])).toMatchObject({ id: "number-range" });
});

test("nesting beyond the call stack does not crash it", () => {
  expect(findUnexportable(nested(1_000_000))).toMatchObject({ id: "nesting-depth" });
});
