import { expect, test } from "vitest";
import { REPO_ROOT } from "../../scripts/run-script.js";
import { constraintCoverage } from "./constraint-coverage.js";

test("every constraint of the repository's own schemas is pinned, and all are counted", async () => {
  const { checked, findings } = await constraintCoverage.run(REPO_ROOT);
  expect(findings).toEqual([]);
  const counts = new Map(checked.map(({ thing, count }) => [thing, count]));
  expect(counts.get("constraint")).toBeGreaterThan(500);
  expect(counts.get("mutant")).toBeGreaterThan(1000);
  expect(counts.get("fixture")).toBeGreaterThan(400);
  expect(counts.get("derived fixture")).toBeGreaterThan(600);
});
