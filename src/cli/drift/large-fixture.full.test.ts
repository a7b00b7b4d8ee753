import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

/** One record in a file that is larger than what a scan reads. */
const LARGE = `${JSON.stringify({ ...createBranch(), notes: "x".repeat(17 * 2 ** 20) })}\n`;

test("a listed fixture of more than 16 MiB is replayed, and one that nobody lists is named", async () => {
  const fixture = { schema: "rollout-wire", version: "1.1.1", path: "listed.jsonl" };
  const config = { config_version: "config/v1", repository: "mine", artefacts: [] };
  folder.write("rollout-wire.config.json", JSON.stringify({ ...config, fixtures: [fixture] }));
  folder.write("listed.jsonl", LARGE);
  folder.write("other.jsonl", LARGE);
  const { exitCode, stdout, stderr } = await folder.run(["drift"]);
  expect(stdout.match(/^\S+(?=:1:1 .*not examined)/gm)).toEqual(["other.jsonl"]);
  expect(stderr).toContain("1 record replayed");
  expect(exitCode).toBe(EXIT.ok);
});
