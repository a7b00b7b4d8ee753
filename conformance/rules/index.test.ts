import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { rules } from "./index.js";

test("there are rules, each with an id of its own", () => {
  expect(rules.length).toBeGreaterThan(0);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});

test.each(rules)("$id has a file and a test of its name, and a purpose", ({ id, purpose }) => {
  expect(existsSync(new URL(`${id}.ts`, import.meta.url))).toBe(true);
  expect(existsSync(new URL(`${id}.test.ts`, import.meta.url))).toBe(true);
  expect(purpose).toMatch(/\w/);
});
