import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { reporters } from "./index.js";

test("text comes first: it is the default", () => {
  expect(reporters[0]?.id).toBe("text");
});

test.each(reporters)("$id has a file and a test of its name, and a purpose", ({ id, purpose }) => {
  expect(existsSync(new URL(`${id}.ts`, import.meta.url))).toBe(true);
  expect(existsSync(new URL(`${id}.test.ts`, import.meta.url))).toBe(true);
  expect(purpose).toMatch(/\w/);
});
