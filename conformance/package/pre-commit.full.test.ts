import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { CONFIG_FILE, packageRoot } from "../../src/base/package.js";
import { makeOnce } from "../../src/base/testing/make-once.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import { type InstalledPackage, installPackage } from "./testing/install-package.js";
import { runTool } from "./testing/run-tool.js";

/** The real pre-commit, of PyPI. */
const PRE_COMMIT = "pre-commit==4.7.0";

const SCHEMA = "schemas/rollout-wire.schema.json";
const RECORDS = "fixtures/rollouts.jsonl";
const AUTHOR = ["-c", "user.name=t", "-c", "user.email=t@t.example"];

/** A repository that has installed the package, synced a copy, and commits through both hooks. */
let consumer: InstalledPackage;
/** The repository that has the hooks. */
let hooks = "";
let bin = "";

beforeAll(() => {
  bin = join(makeOnce("pre-commit", installPreCommit), "bin");
  hooks = mkdtempSync(join(tmpdir(), "rollout-wire-hooks-"));
  cpSync(join(packageRoot(), ".pre-commit-hooks.yaml"), join(hooks, ".pre-commit-hooks.yaml"));
  commitAll(hooks);
  consumer = installPackage();
  writeConsumer(consumer.folder);
  commitAll(consumer.folder);
  run("pre-commit", "install");
});
afterAll(() => {
  consumer.remove();
  rmSync(hooks, { recursive: true });
});
beforeEach(() => {
  run("git", "reset", "--quiet", "--hard");
  run("git", "clean", "--quiet", "-d", "--force");
});

function installPreCommit(folder: string): void {
  runTool("python3", ["-m", "venv", "."], folder);
  const pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet"];
  runTool(join(folder, "bin/python"), [...pip, PRE_COMMIT], folder);
}

function commitAll(folder: string): void {
  runTool("git", ["init", "--quiet"], folder);
  runTool("git", ["add", "."], folder);
  runTool("git", [...AUTHOR, "commit", "--quiet", "-m", "all"], folder);
}

function writeConsumer(folder: string): void {
  const source = "schema/rollout-wire.schema.json";
  const entry = readRegistry(packageRoot()).schemas.find(({ file }) => file === source);
  const version = entry?.version ?? "";
  const config = {
    config_version: "config/v1",
    repository: "consumer",
    artefacts: [{ kind: "schema", schema: "rollout-wire", version, source, path: SCHEMA }],
    fixtures: [{ schema: "rollout-wire", version, path: RECORDS }],
  };
  writeFileSync(join(folder, CONFIG_FILE), JSON.stringify(config));
  writeFileSync(join(folder, ".gitignore"), "node_modules/\n");
  mkdirSync(join(folder, "fixtures"));
  const records = "fixtures/golden/data-loop/input.jsonl";
  cpSync(join(packageRoot(), records), join(folder, RECORDS));
  runTool(join(folder, "node_modules/.bin/rollout-wire"), ["sync"], folder);
  const rev = runTool("git", ["rev-parse", "HEAD"], hooks).trim();
  const ids = ["rollout-wire-drift", "rollout-wire-validate"];
  const repository = { repo: hooks, rev, hooks: ids.map((id) => ({ id })) };
  // JSON is YAML.
  writeFileSync(join(folder, ".pre-commit-config.yaml"), JSON.stringify({ repos: [repository] }));
}

function run(command: string, ...argv: string[]): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(command, argv, {
    cwd: consumer.folder,
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: [bin, process.env.PATH].join(delimiter),
      PRE_COMMIT_HOME: join(hooks, ".git/pre-commit-home"),
      npm_config_offline: "true",
    },
  });
  return { status, printed: stdout + stderr };
}

function commit(): { status: number | null; printed: string } {
  run("git", "add", ".");
  return run("git", ...AUTHOR, "commit", "-m", "change");
}

test("a commit that changes neither copies nor records passes", () => {
  writeFileSync(join(consumer.folder, "README.md"), "ours\n");
  const { status, printed } = commit();
  expect([status, printed]).toEqual([0, expect.stringMatching(/drift\.+Passed\n/)]);
  expect(printed).toMatch(/validate\.+\(no files to check\)Skipped\n/);
});

test("a commit of a changed copy is stopped", () => {
  appendFileSync(join(consumer.folder, SCHEMA), "{}\n");
  const { status, printed } = commit();
  expect(status).toBe(1);
  expect(printed).toMatch(/drift\.+Failed\n/);
  expect(printed).toContain(`${SCHEMA}:`);
});

test("a commit of valid records passes, and one of an invalid record is stopped", () => {
  const file = join(consumer.folder, RECORDS);
  appendFileSync(file, "\n");
  expect(commit().printed).toMatch(/validate\.+Passed\n/);
  appendFileSync(file, '{"rollout_id": "r"}\n');
  const { status, printed } = commit();
  expect(status).toBe(1);
  expect(printed).toMatch(/validate\.+Failed\n/);
  expect(printed).toMatch(/fixtures\/rollouts\.jsonl:\d+:1/);
});
