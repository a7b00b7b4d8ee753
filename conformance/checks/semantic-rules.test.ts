import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyRepository, type RepositoryCopy } from "../../scripts/testing/copy-repository.js";
import { rules } from "../../src/validation/rules/index.js";
import { semanticRules } from "./semantic-rules.js";

let copy: RepositoryCopy;
beforeEach(() => {
  copy = copyRepository();
});
afterEach(() => copy.remove());

test("green on the repository as it is", async () => {
  const { checked, findings } = await semanticRules.run(copy.root);
  expect(findings).toEqual([]);
  expect(checked).toEqual([
    { count: rules.length, thing: "rule" },
    { count: expect.any(Number), thing: "fixture" },
  ]);
  expect(checked[1]?.count).toBeGreaterThan(2 * rules.length);
});

test("a rule whose invalid fixtures are gone", async () => {
  rmSync(join(copy.root, "fixtures/invalid/DpoRecord/chosen-beats-rejected-failed-chosen.json"));
  expect((await semanticRules.run(copy.root)).findings).toMatchObject([
    {
      id: "chosen-beats-rejected",
      file: "src/validation/rules/chosen-beats-rejected.ts",
      message: expect.stringContaining("has no invalid fixture"),
    },
  ]);
});

test("no fixtures at all", async () => {
  rmSync(join(copy.root, "fixtures"), { recursive: true });
  const { findings } = await semanticRules.run(copy.root).catch(() => ({ findings: [{}] }));
  expect(findings.length).toBeGreaterThan(0);
});
