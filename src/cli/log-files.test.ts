import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../base/testing/run-in-folder.js";
import { EXIT } from "../base/user-error.js";
import { createBranch } from "../rollouts/wire/export/testing/create-branch.js";

const FORMS = fileURLToPath(new URL("../../fixtures/import/forms/", import.meta.url));

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const COMMANDS = [
  ["validate"],
  ["rank", "--output", "out.jsonl", "--input"],
  ["show"],
  ["report", "--output", "out.html"],
];

describe.each(COMMANDS)("%s", (...command) => {
  test.each(["claude-code.jsonl", "inspect.json", "swe-agent.traj", "nemo-gym.jsonl"])(
    "names the form of %s and the command that reads it, and nothing else",
    async (name) => {
      const file = join(FORMS, name);
      const { exitCode, stdout, stderr } = await folder.run([...command, file]);
      expect(exitCode).toBe(
        command[0] === "show" || command[0] === "report" ? EXIT.unreadable : EXIT.findings,
      );
      const said = `${stdout}${stderr}`.split("\n").filter((line) => line.includes(file));
      expect(said).toEqual([
        expect.stringMatching(
          /no rollouts, but .* \([a-z-]+\): rollout-wire import \S+ --output captured\.jsonl/,
        ),
      ]);
    },
  );
});

test("validate checks other files of the same run", async () => {
  folder.write("a.jsonl", `${JSON.stringify(createBranch())}\n`);
  const { exitCode, stdout, stderr } = await folder.run([
    "validate",
    join(FORMS, "codex.jsonl"),
    "a.jsonl",
  ]);
  expect([exitCode, stdout.trimEnd().split("\n")]).toEqual([
    EXIT.findings,
    [expect.stringContaining("sessions of the Codex CLI (codex)")],
  ]);
  expect(stderr).toContain("1 error, 0 warnings in 1 record ");
});

test("rows that a trainer reads are validated as such; with --type, no file is refused", async () => {
  const row = {
    messages: [
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
    ],
  };
  folder.write("rows.jsonl", `${JSON.stringify(row)}\n`);
  expect((await folder.run(["validate", "rows.jsonl"])).exitCode).toBe(EXIT.ok);
  const argv = ["validate", "--type", "RolloutBranch", join(FORMS, "codex.jsonl")];
  expect((await folder.run(argv)).stdout).toContain('lacks "rollout_id"');
});

test("a branch that lacks a field is told so, although it has messages", async () => {
  const turns = [{ role: "assistant", content: "b" }];
  const { task: _, ...branch } = { ...createBranch(), turns };
  folder.write("a.jsonl", `${JSON.stringify(branch)}\n`);
  expect((await folder.run(["validate", "a.jsonl"])).stdout).toContain('lacks "task"');
});
