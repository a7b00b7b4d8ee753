import { expect, test } from "vitest";
import { createExclusion } from "./exclusion.js";

test.each([
  ["a.jsonl", "a.jsonl", true],
  ["a.jsonl", "runs/a.jsonl", false],
  ["**/a.jsonl", "runs/a.jsonl", true],
  ["**/a.jsonl", "a.jsonl", true],
  ["runs", "runs/1/a.jsonl", true],
  ["./runs/", "runs/a.jsonl", true],
  ["**/.old", "runs/.old/a.jsonl", true],
  ["runs", "runs2/a.jsonl", false],
  ["**/old/**", "../other/old/a.jsonl", true],
])("%s excludes %s: %s", (glob, path, expected) => {
  expect(createExclusion([glob])(path)).toBe(expected);
});

test("nothing is excluded without globs", () => {
  expect(createExclusion([])("a.jsonl")).toBe(false);
});
