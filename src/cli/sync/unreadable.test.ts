import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

test.each([
  ["is not JSON", "{"],
  ["is of another version", '{ "config_version": "config/v2" }'],
  [
    "names what does not exist",
    '{ "config_version": "config/v1", "repository": "mine", "artefacts": [], "severity": { "x": "off" } }',
  ],
])("a configuration that %s has one exit code in sync and drift", async (_, text) => {
  folder.write("rollout-wire.config.json", text);
  const synced = await folder.run(["sync"]);
  const checked = await folder.run(["drift"]);
  expect([synced.exitCode, checked.exitCode]).toEqual([EXIT.unreadable, EXIT.unreadable]);
  const [place = ""] = /^rollout-wire\.config\.json:\d+:\d+/.exec(synced.stderr) ?? [];
  expect(place).not.toBe("");
  expect(checked.stdout).toContain(place);
});
