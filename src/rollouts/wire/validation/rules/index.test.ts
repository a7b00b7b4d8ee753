import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isRuleId, ruleIds, rules, rulesByScope } from "./index.js";

test("there are rules, each with a unique id", () => {
  expect(rules.length).toBeGreaterThan(0);
  expect(new Set(ruleIds).size).toBe(rules.length);
  expect(ruleIds.every(isRuleId)).toBe(true);
  expect(isRuleId("none")).toBe(false);
});

/** Names of the files in this folder, without extensions. Tests are named `<id>.test`. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !/^(index|rule)\./.test(file))
  .map((file) => file.replace(/\.ts$/, ""));

test("every file is a rule that is listed here and has a test of the same name", () => {
  const expected = rules.flatMap(({ id }) => [id, `${id}.test`]);
  expect(files.toSorted()).toEqual(expected.toSorted());
});

test("each is listed under its scope", () => {
  for (const { id, scope } of rules) {
    expect(rulesByScope[scope].map((rule) => rule.id)).toContain(id);
  }
});

test.each(rules)("$id has a purpose", ({ purpose }) => {
  expect(purpose).toMatch(/\w/);
});
