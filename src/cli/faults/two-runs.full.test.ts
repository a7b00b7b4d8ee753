import { afterEach, beforeEach, expect, test } from "vitest";
import { listFiles } from "../../base/files/folders.js";
import { eventually } from "../../base/testing/eventually.js";
import { createProgramFolder, type ProgramFolder } from "../../base/testing/program-folder.js";
import { type RunningProgram, runProgram, startProgram } from "../../base/testing/run-program.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

const EXPORT = ["export", "--allow-missing-g3", "--skip-invalid", "--input", "-"];
const RANK = ["rank", "--input", "-"];
const IMPORT = ["import", "tinker", "--input", "-", "--output", "a.jsonl"];
const input = `${JSON.stringify(createBranch({}))}\n`;

let folder: ProgramFolder;
let first: RunningProgram | undefined;
beforeEach(() => {
  folder = createProgramFolder();
});
afterEach(async () => {
  first?.process.kill("SIGKILL");
  await first?.ending;
  folder.remove();
});

/** Starts a run, and waits until it is about to write. Its input stays open. */
async function startWriting(argv: readonly string[]): Promise<RunningProgram> {
  const running = startProgram(argv, { cwd: folder.cwd });
  first = running;
  await eventually(() => listFiles(folder.cwd).some((name) => name.endsWith(".tmp"))).toBe(true);
  return running;
}

const two = ["--output-dpo", "a.jsonl", "--output-ppo", "b.jsonl"];

test.each([
  ["a file", [...EXPORT, ...two], "b.jsonl", [...EXPORT, "--output-ppo", "b.jsonl"]],
  ["a file as report", [...EXPORT, ...two], "a.jsonl", [...EXPORT, "--report", "a.jsonl"]],
  [
    "rejects",
    [...EXPORT, "--rejects", "r.jsonl"],
    "r.jsonl",
    [...EXPORT, ...two, "--rejects", "r.jsonl"],
  ],
  [
    "a folder, for another target",
    [...EXPORT, "--output-dir", "data"],
    "data/manifest.json",
    [...EXPORT, "--output-dir", "data", "--target", "trl-sft"],
  ],
  ["a file by rank", [...EXPORT, ...two], "a.jsonl", [...RANK, "--output", "a.jsonl"]],
  ["a file by import", [...RANK, "--output", "a.jsonl"], "a.jsonl", IMPORT],
] as const)("two runs write %s: the second is refused, the first completes", async (...of) => {
  const [, one, file, other] = of;
  const running = await startWriting(one);
  const { cwd } = folder;
  const { exitCode, stdout, stderr } = await runProgram(other, { cwd, stdin: input });
  expect([exitCode, stdout]).toEqual([EXIT.usage, ""]);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).toContain(
    `output ${cwd}/${file}: process ${running.process.pid} is writing it: wait for it`,
  );
  running.process.stdin?.end(input);
  expect((await running.ending).exitCode).toBe(EXIT.ok);
  expect(listFiles(cwd).filter((path) => path.includes(".rollout-wire-"))).toEqual([]);
});
