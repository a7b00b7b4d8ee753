import { expect, test } from "vitest";
import { measureValue } from "./value.js";

test("counts the keys of all objects", () => {
  expect(measureValue({}).keys).toBe(0);
  expect(measureValue({ a: [{ b: null, c: [[{ d: 1 }]] }], e: "" }).keys).toBe(5);
});

test("the depth is that of the deepest array or object", () => {
  expect(measureValue({ a: 1 }).depth).toBe(1);
  expect(measureValue([[], { a: [] }, []]).depth).toBe(3);
  expect(measureValue({ a: [[]], b: {} }).depth).toBe(3);
});

test("the largest magnitude of any number", () => {
  expect(measureValue({ a: "9", b: null }).largest).toBe(0);
  expect(measureValue({ a: [1, { b: -3 }], c: 2 }).largest).toBe(3);
  expect(measureValue({ a: [JSON.parse("-1e400")] }).largest).toBe(Number.POSITIVE_INFINITY);
});

test("nesting beyond the call stack does not crash it", () => {
  const value: object = JSON.parse(`${"[".repeat(1_000_000)}1${"]".repeat(1_000_000)}`);
  expect(measureValue(value)).toEqual({ keys: 0, depth: 1_000_000, largest: 1 });
});
