import { expect, test } from "vitest";
import { lengthHeuristic } from "./length-heuristic.js";

test("four scores 0.8, nothing 0, and longer is better, below 1", () => {
  expect(lengthHeuristic("four")).toBe(0.8);
  expect(lengthHeuristic("")).toBe(0);
  expect(lengthHeuristic("a".repeat(1000))).toBeLessThan(1);
  expect(lengthHeuristic("five!")).toBeGreaterThan(lengthHeuristic("four"));
});

test("a character is a code point", () => {
  expect(lengthHeuristic("\u{1F600}")).toBe(0.5);
});
