import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { createTestFolder } from "../base/testing/run-in-folder.js";
import { configurePresent } from "../contract/drift/testing/layouts.js";
import { createBranch } from "../rollouts/wire/export/testing/create-branch.js";
import { loadCommands } from "./commands/index.js";

const commands = await loadCommands();

const folder = createTestFolder();
afterAll(() => folder.remove());

const bad = folder.write("bad.jsonl", `${JSON.stringify({ ...createBranch(), task: 1 })}\n{\n`);

folder.write("eval.txt", "a text of the evaluation set");
folder.write("old.json", "{}");
configurePresent("bscode", join(folder.path, "bscode"));
folder.write("new.json", '{"type": "string"}');

/** Arguments with which each command that reports findings finds or checks something. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  validate: [bad],
  import: ["tinker", "--input", bad, "--output", "captured.jsonl"],
  rank: ["--input", bad, "--output", "ranked.jsonl"],
  export: ["--input", bad, "--output-dpo", "dpo.jsonl", "--allow-missing-g3"],
  redact: [bad, "--check"],
  migrate: ["--to", "rollout-wire/v1", bad, "--output", "upgraded.jsonl"],
  "shard index": ["--eval-items", "eval.txt", "--input", bad, "--output", "e.index"],
  check: ["--only", "registry"],
  diff: ["old.json", "new.json"],
  drift: ["--scan", "."],
  sync: ["--repo", "bscode"],
};

const reporting = commands.filter(({ options }) => options.some(({ long }) => long === "--format"));

test.each(reporting)("the output of $name matches the published schema", async ({ name }) => {
  const { stdout } = await folder.run([
    ...name.split(" "),
    "--format",
    "json",
    ...(ARGUMENTS[name] ?? []),
  ]);
  const printed: unknown = JSON.parse(stdout);
  expect(findErrors("FindingReport", printed)).toEqual([]);
  expect(printed).toMatchObject({ command: name });
});
