import { basename } from "node:path";
import { expect, test } from "vitest";
import { LONGEST } from "./testing/longest-first.js";
import { listTests } from "./vitest-projects.js";

test("the tests that start first exist", () => {
  const names = new Set(listTests().map((path) => basename(path)));
  expect(LONGEST.filter((name) => !names.has(name))).toEqual([]);
});
