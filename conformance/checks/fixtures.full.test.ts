import { expect, test } from "vitest";
import { REPO_ROOT } from "../../scripts/run-script.js";
import { fixtures } from "./fixtures.js";

test("the repository's own fixtures are valid, and counted", async () => {
  const { checked, findings } = await fixtures.run(REPO_ROOT);
  expect(findings).toEqual([]);
  expect(checked.map(({ thing }) => thing).slice(0, 2)).toEqual([
    "valid fixture",
    "invalid fixture",
  ]);
  for (const { count } of checked) expect(count).toBeGreaterThan(0);
});
