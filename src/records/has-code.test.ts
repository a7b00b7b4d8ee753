import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasCode } from "./has-code.js";

test("an error of Node has its code, and no other", () => {
  let thrown: unknown;
  try {
    readFileSync("/no/such/file");
  } catch (error) {
    thrown = error;
  }
  expect([hasCode(thrown, "ENOENT"), hasCode(thrown, "EEXIST")]).toEqual([true, false]);
});

test("what has no code, or is no error, has none", () => {
  for (const thrown of [new Error("ENOENT"), { code: "ENOENT" }, "ENOENT", null, undefined]) {
    expect(hasCode(thrown, "ENOENT")).toBe(false);
  }
});
