import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isDpoRecord, isPpoRecord } from "#generated/index.js";
import { hashMatchesTask } from "./rules/hash-matches-task.js";

/** A fixture of the repository, by its path below `fixtures/`. */
function readFixture(path: string) {
  return JSON.parse(
    readFileSync(fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url)), "utf8"),
  );
}

test("the elizaOS plugin's published PPO example is valid, in structure and in semantics", () => {
  const { record } = readFixture("valid/PpoRecord/plugin-example.json");
  expect(isPpoRecord(record)).toBe(true);
  expect(hashMatchesTask.check(record, "PpoRecord")).toEqual([]);
});

test("the elizaOS plugin's published DPO example is valid in structure, and found out by hash-matches-task", () => {
  const { record, expect: faults } = readFixture("invalid/DpoRecord/hash-of-another-task.json");
  expect(isDpoRecord(record)).toBe(true);
  const found = hashMatchesTask.check(record, "DpoRecord");
  expect(found.map(({ pointer }) => ({ pointer, rule: hashMatchesTask.id }))).toEqual(faults);
});
