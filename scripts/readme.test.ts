import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readCodeBlocks } from "../conformance/package/testing/read-command-lines.js";
import { createFrozenRepository } from "../conformance/registry/testing/frozen-repository.js";
import { copyRepository } from "../src/base/testing/copy-repository.js";
import { createTestFolder } from "../src/base/testing/run-in-folder.js";
import { EXIT } from "../src/base/user-error.js";
import { loadCommands } from "../src/cli/commands/index.js";
import { EXIT_MEANINGS } from "../src/cli/program.js";
import {
  createConfig,
  listLayout,
  writeConfiguration,
} from "../src/contract/drift/testing/layouts.js";
import { createBranch } from "../src/rollouts/wire/export/testing/create-branch.js";
import { REPO_ROOT } from "./run-script.js";
import { run as start } from "./start.js";
import { runInProcess } from "./testing/run-in-process.js";

const README = readFileSync(join(REPO_ROOT, "README.md"), "utf8");

/** The code blocks without a language: output of commands, and the diagram. */
const OUTPUTS = readCodeBlocks(README, "");

const folder = createTestFolder();
afterAll(() => folder.remove());

/** The block that starts with a text. */
function outputOf(beginning: string): string {
  const found = OUTPUTS.find((block) => block.startsWith(beginning));
  if (found === undefined)
    throw new Error(`README.md has no output that starts with: ${beginning}`);
  return found.trimEnd();
}

/** Versions and numbers of files change with every schema. */
function withoutCounts(text: string): string {
  return text.replaceAll(/\d+\.\d+\.\d+|[\d.]+ (files|schemas|kB)/g, "N $1");
}

test("npm start prints what README.md shows", async () => {
  const copy = copyRepository([
    "schema",
    "generated",
    "package.json",
    "rollout-wire.config.json",
    "fixtures/golden/support-desk",
  ]);
  const { status, stdout } = await runInProcess(start, [], { root: copy.root });
  copy.remove();
  expect(status).toBe(EXIT.ok);
  const shown = outputOf("  generated code");
  expect(withoutCounts(stdout)).toContain(withoutCounts(shown));
});

test("validate prints what README.md shows", async () => {
  const lines = Array.from({ length: 12 }, (_, index) => {
    const { objective_score, ...rest } = createBranch({ rollout_id: `r-${index}` });
    return JSON.stringify({ objective_score: index === 11 ? 7 : objective_score, ...rest });
  });
  folder.write("rollouts.jsonl", `${lines.join("\n")}\n`);
  const { exitCode, stdout } = await folder.run(["validate", "rollouts.jsonl"]);
  expect([exitCode, stdout.trimEnd()]).toEqual([EXIT.findings, outputOf("rollouts.jsonl:12:")]);
});

test("sync prints what README.md shows, and drift is then clean", async () => {
  const source = createFrozenRepository();
  execFileSync("git", ["init", "--quiet"], { cwd: folder.path });
  const artefacts = listLayout("bscode", "1.0.0").filter(({ kind }) => kind === "generated");
  writeConfiguration(folder.path, createConfig("bscode", artefacts));
  const registry = ["--registry", `${source.root}/schema/registry.json`];
  const { stdout } = await folder.run(["sync", ...registry]);
  const drift = await folder.run(["drift", ...registry]);
  source.remove();
  expect(withoutCounts(stdout).trimEnd()).toBe(withoutCounts(outputOf("bscode  .")));
  expect(drift.exitCode).toBe(EXIT.ok);
});

test("the table of exit codes is the one of the man page", () => {
  const rows = [...README.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning = ""]) => [
    Number(code),
    meaning.replaceAll("`", ""),
  ]);
  expect(rows).toEqual(EXIT_MEANINGS);
});

test("the table of commands names every command", async () => {
  const commands = await loadCommands();
  const listed = [...README.matchAll(/^\| `([a-z]+(?: [a-z]+)?)[^`]*` /gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});
