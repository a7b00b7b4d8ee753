import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { rolloutRules } from "./index.js";

test("there are rules, each with an id of its own", () => {
  expect(rolloutRules.length).toBeGreaterThan(0);
  expect(new Set(rolloutRules.map(({ id }) => id)).size).toBe(rolloutRules.length);
});

/** Names of the files beside this one, without their endings; tests are named `<id>.test`. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !/^(index|rollout-rule)\./.test(file))
  .map((file) => file.replace(/\.ts$/, ""));

test("every file is a rule that is entered here, with a test of its name", () => {
  const expected = rolloutRules.flatMap(({ id }) => [id, `${id}.test`]);
  expect(files.toSorted()).toEqual(expected.toSorted());
});

test.each(rolloutRules)("$id has a purpose", ({ purpose }) => {
  expect(purpose).toMatch(/\w/);
});
