import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { listFiles } from "../../../src/base/files/folders.js";
import { toJsonl } from "../../../src/base/json/print.js";
import { packageRoot } from "../../../src/base/package.js";
import { buildProgram } from "../../../src/base/testing/build-program.js";
import { createTestFolder, type TestFolder } from "../../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../../src/base/user-error.js";
import { readCodeBlocks } from "../../package/testing/read-command-lines.js";
import { createRollouts } from "../testing/create-rollouts.js";

/** The commands for object stores, as a user copies them from the page. */
const [STREAM = "", PREPARE = "", TASK = "", JOIN = "", ...OTHERS] = readCodeBlocks(
  readFileSync(join(packageRoot(), "docs/scale.md"), "utf8"),
  "sh",
).filter((block) => block.includes("aws s3"));

const SECRET = "a-secret-of-this-test";

let folder: TestFolder;
let server: ChildProcess;
let env: NodeJS.ProcessEnv;
let branches: readonly RolloutBranchRecord[] = [];
const printed: string[] = [];

beforeAll(async () => {
  folder = createTestFolder();
  server = spawn("moto_server", ["--host", "127.0.0.1", "--port", "0"]);
  mkdirSync(join(folder.path, "bin"));
  writeProgram("bin/rollout-wire", `exec "${process.execPath}" "${buildProgram().main}" "$@"`);
  env = {
    ...process.env,
    PATH: [join(folder.path, "bin"), process.env.PATH].join(delimiter),
    AWS_ENDPOINT_URL: await addressOf(server),
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_DEFAULT_REGION: "us-east-1",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_CONFIG_FILE: join(folder.path, "none"),
    AWS_SHARED_CREDENTIALS_FILE: join(folder.path, "none"),
  };
  branches = createRollouts();
  folder.write("eval.jsonl", toJsonl([{ prompt: "nothing that any of these rollouts is about" }]));
  for (const bucket of ["runs", "training"]) aws("s3", "mb", `s3://${bucket}`);
  const half = Math.floor(branches.length / 2);
  for (const [name, part] of [
    ["a", branches.slice(0, half)],
    ["b", branches.slice(half)],
  ] as const) {
    const file = join(folder.path, `${name}.jsonl.gz`);
    writeFileSync(file, gzipSync(toJsonl(part)));
    aws("s3", "cp", file, `s3://runs/2026-11/${name}.jsonl.gz`);
  }
});

afterAll(async () => {
  const ended = new Promise((resolve) => server.once("close", resolve));
  server.kill();
  await ended;
  folder.remove();
});

test("an object is exported through a pipe, and the folder is uploaded", async () => {
  const { status, stderr } = runOn("one", STREAM);
  expect([status, stderr]).toEqual([EXIT.ok, expect.stringContaining("  export ")]);
  await exportHere("one", "-", [readFileSync(join(folder.path, "a.jsonl.gz"))]);
  expect(download("s3://training/2026-11/")).toEqual(filesBelow("one/here"));
});

test("a download that breaks between two lines uploads nothing", () => {
  const ids = new Set(branches.slice(0, 10).map(({ rollout_id }) => rollout_id));
  const received = branches.filter(({ rollout_id }) => ids.has(rollout_id));
  folder.write("some.jsonl", toJsonl(received));
  mkdirSync(join(folder.path, "broken"));
  const real = execFileSync("which", ["aws"], { env, encoding: "utf8" }).trim();
  writeProgram(
    "broken/aws",
    `case "$*" in *" -") cat "${folder.path}/some.jsonl"; exit 1;; esac; exec "${real}" "$@"`,
  );
  const PATH = [join(folder.path, "broken"), env.PATH].join(delimiter);
  const script = STREAM.replaceAll("s3://training/2026-11/", "s3://training/broken/");
  const { status, stderr } = runOn("cut-off", script, { PATH });
  expect([status, stderr]).toEqual([1, expect.stringContaining(`  ${received.length} branches, `)]);
  expect(Object.keys(filesBelow("cut-off"))).toContain("dataset/manifest.json");
  expect(aws("s3", "ls", "s3://training/")).not.toContain("broken");
});

test("each shard is exported by a machine of its own, and all give the dataset of one", async () => {
  expect(OTHERS).toEqual([]);
  const first = runOn("first", PREPARE);
  expect([first.status, first.stderr]).toEqual([EXIT.ok, expect.stringContaining("  index ")]);
  for (const shard of ["1", "2", "3", "4"]) {
    const { status, stderr } = runOn(`task-${shard}`, TASK, { SHARD: shard });
    expect([status, stderr]).toEqual([EXIT.ok, ""]);
    const shards = Object.keys(filesBelow(`task-${shard}/shards`));
    expect(shards).toEqual([`part-0000${shard}-of-00004.jsonl`, "partition.json"]);
  }
  const last = runOn("last", JOIN);
  expect([last.status, last.stderr]).toEqual([EXIT.ok, expect.stringContaining("  4 shards, ")]);
  await exportHere("first", "shards/");
  expect(download("s3://training/all/")).toEqual(filesBelow("first/here"));
});

test("no credential is printed or written", () => {
  expect(printed.length).toBeGreaterThan(6);
  for (const text of printed) expect(text).not.toContain(SECRET);
  const found = spawnSync("grep", ["-rl", SECRET, folder.path], { encoding: "utf8" });
  expect([found.status, found.stdout]).toEqual([1, ""]);
});

/** Runs a script in a folder of its own, as on a machine that has only the evaluation set. */
function runOn(machine: string, script: string, variables: NodeJS.ProcessEnv = {}) {
  const cwd = join(folder.path, machine);
  mkdirSync(cwd);
  folder.write(`${machine}/eval.jsonl`, readFileSync(join(folder.path, "eval.jsonl"), "utf8"));
  const run = spawnSync("bash", ["-c", script], {
    cwd,
    env: { ...env, ...variables },
    encoding: "utf8",
  });
  printed.push(run.stdout, run.stderr);
  return run;
}

/** Exports as a script does. Input and output are in the same folder, so that the manifest has the same names. */
async function exportHere(cwd: string, input: string, stdin: Buffer[] = []): Promise<void> {
  const argv = ["export", "--input", input, "--eval-items", "eval.jsonl", "--output-dir", "here"];
  const time = ["--exported-at-ms", "1700000000000"];
  const { exitCode } = await folder.run([...argv, ...time], { cwd: join(folder.path, cwd), stdin });
  expect(exitCode).toBe(EXIT.ok);
}

function aws(...argv: string[]): string {
  const stdout = execFileSync("aws", argv, { env, encoding: "utf8", stdio: ["ignore", "pipe"] });
  printed.push(stdout);
  return stdout;
}

/** The files below an address of the store. */
function download(address: string): Record<string, string> {
  const name = `downloaded-${address.replaceAll(/\W+/g, "-")}`;
  aws("s3", "cp", address, join(folder.path, name), "--recursive", "--quiet");
  return filesBelow(name);
}

/** The contents of all files in a folder, by their names. */
function filesBelow(name: string): Record<string, string> {
  const path = join(folder.path, name);
  const names = listFiles(path);
  return Object.fromEntries(names.map((file) => [file, readFileSync(join(path, file), "utf8")]));
}

function writeProgram(name: string, command: string): void {
  folder.write(name, `#!/bin/sh\n${command}\n`);
  chmodSync(join(folder.path, name), 0o755);
}

/** The address that a server prints when it is ready. */
async function addressOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("the server has no pipes");
  for await (const line of createInterface({ input: stderr })) {
    const [address] = /http:\S+/.exec(line) ?? [];
    if (address !== undefined) {
      stderr.resume();
      return address;
    }
  }
  throw new Error("the server has ended");
}
