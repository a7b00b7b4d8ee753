import { expect, test } from "vitest";
import { findNearest } from "./find-nearest.js";

test.each([
  ["duplicate-keys", "duplicate-key"],
  ["dulpicate-key", "duplicate-key"],
  ["key", "hash"],
  ["", "hash"],
])("%j is nearest to %s", (name, nearest) => {
  expect(findNearest(name, ["duplicate-key", "hash"])).toBe(nearest);
});

test("no names", () => {
  expect(findNearest("a", [])).toBeUndefined();
});
