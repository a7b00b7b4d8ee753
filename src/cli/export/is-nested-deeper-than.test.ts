import { expect, test } from "vitest";
import { isNestedDeeperThan } from "./is-nested-deeper-than.js";

function nested(depth: number): unknown {
  return JSON.parse("[".repeat(depth) + "]".repeat(depth));
}

test("depth counts arrays and objects", () => {
  expect(isNestedDeeperThan({}, 1)).toBe(false);
  expect(isNestedDeeperThan({ a: 1, b: "x", c: null }, 1)).toBe(false);
  expect(isNestedDeeperThan({ a: [{ b: 1 }] }, 3)).toBe(false);
  expect(isNestedDeeperThan({ a: [{ b: 1 }] }, 2)).toBe(true);
  expect(isNestedDeeperThan(nested(1000), 1000)).toBe(false);
  expect(isNestedDeeperThan(nested(1001), 1000)).toBe(true);
});

test("does not recurse", () => {
  expect(isNestedDeeperThan(nested(1_000_000), 999_999)).toBe(true);
});
