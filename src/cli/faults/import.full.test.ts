import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type BuiltProgram, buildProgram } from "../../base/testing/build-program.js";
import { createProgramFolder, type ProgramFolder } from "../../base/testing/program-folder.js";
import { type RunningProgram, runProgram, startProgram } from "../../base/testing/run-program.js";

const ROWS = fileURLToPath(
  new URL(
    "../../../fixtures/import/tinker/iteration_000003/train_rollout_summaries.jsonl",
    import.meta.url,
  ),
);

/** Enough rows for several blocks, each in its own iteration. */
const input = Array.from({ length: 1500 }, (_, iteration) =>
  readFileSync(ROWS, "utf8").replaceAll('"iteration": 3,', `"iteration": ${iteration},`),
).join("");

const ARGV = ["import", "tinker", "--input", "-", "--output", "out.jsonl"];
const KEEPING = ["--skip-invalid", "--rejects", "rejects.jsonl"];

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});

let folder: ProgramFolder;
let running: RunningProgram | undefined;
beforeEach(() => {
  folder = createProgramFolder();
  folder.write("out.jsonl", "former");
});
afterEach(async () => {
  running?.process.kill("SIGKILL");
  await running?.ending;
  folder.remove();
});

/** Starts the program, lets it read all rows, and keeps its input open. */
async function startReading(argv: readonly string[]): Promise<RunningProgram> {
  const { cwd, env } = folder;
  const started = startProgram(argv, { ...program, cwd, env });
  running = started;
  const { stdin } = started.process;
  if (stdin === null) throw new TypeError("standard input is a pipe");
  if (!stdin.write(input)) await once(stdin, "drain");
  return started;
}

test.each([
  ["SIGTERM", []],
  ["SIGINT", KEEPING],
] as const)("%s amid an import: the former output, and no other file", async (signal, options) => {
  const started = await startReading([...ARGV, ...options]);
  started.process.kill(signal);
  expect((await started.ending).signal).toBe(signal);
  expect(folder.read("out.jsonl")).toBe("former");
  expect(folder.leftovers()).toEqual([]);
});

test("SIGKILL during an import: the former output stays, and a second run completes", async () => {
  const started = await startReading([...ARGV, ...KEEPING]);
  started.process.kill("SIGKILL");
  await started.ending;
  expect(folder.read("out.jsonl")).toBe("former");
  const { cwd, env } = folder;
  const { exitCode } = await runProgram([...ARGV, ...KEEPING], {
    ...program,
    cwd,
    env,
    stdin: input,
  });
  expect(exitCode).toBe(0);
  expect(folder.read("out.jsonl").trimEnd().split("\n")).toHaveLength(1500 * 5);
  expect(folder.read("rejects.jsonl").trimEnd().split("\n")).toHaveLength(1500);
  expect(folder.leftovers()).toEqual([]);
});

test("a full disk gives exit code 3, and the former output stays", async () => {
  const { cwd, env } = folder;
  // Limits files to 2 MB; bash counts in KiB.
  const prelude = "trap '' XFSZ; ulimit -f 2048";
  const { exitCode, stderr } = await runProgram(ARGV, {
    ...program,
    cwd,
    env,
    prelude,
    stdin: input,
  });
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/: cannot be written: it would exceed the maximum file size\n$/);
  expect(folder.read("out.jsonl")).toBe("former");
  expect(folder.leftovers()).toEqual([]);
});
