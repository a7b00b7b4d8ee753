import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram } from "../../base/testing/build-program.js";
import { createProgramFolder, type ProgramFolder } from "../../base/testing/program-folder.js";
import { type RunningProgram, runProgram, startProgram } from "../../base/testing/run-program.js";
import { encodeFrame } from "../worker/frames.js";
import { toJob } from "../worker/testing/engine.js";

const { main } = buildProgram();

let folder: ProgramFolder;
beforeAll(() => {
  folder = createProgramFolder();
});
afterAll(() => folder.remove());

function start(): RunningProgram {
  return startProgram(["worker"], { cwd: folder.cwd, env: folder.env, main });
}

/** Job folders of workers. */
function jobFolders(): string[] {
  return readdirSync(folder.env.TMPDIR ?? "").filter((name) => name.startsWith("rollout-wire-"));
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const openJob = toJob({ argv: ["validate", "-"] }).subarray(0, -5);

test("a worker serves several jobs and ends with its standard input", async () => {
  const job = toJob({ argv: ["validate", "-"] }, "NaN\n");
  const stdin = Buffer.concat([job, job]);
  const ending = await runProgram(["worker"], { cwd: folder.cwd, env: folder.env, main, stdin });
  expect([ending.exitCode, ending.stderr]).toEqual([0, ""]);
  expect(ending.stdout.split("not JSON: unexpected NaN")).toHaveLength(3);
  expect(folder.leftovers()).toEqual([]);
});

test("garbage: exit code 2 and one line", async () => {
  const stdin = "GET / HTTP/1.1\r\n\r\n";
  const ending = await runProgram(["worker"], { cwd: folder.cwd, env: folder.env, main, stdin });
  expect([ending.exitCode, ending.stderr]).toEqual([
    2,
    "<stdin>: byte 0: 0x47 is no type of a frame\n",
  ]);
});

test("a worker whose engine ends within a job ends too, without its folder", async () => {
  const { process: worker, ending } = start();
  worker.stdin?.write(openJob);
  await until(() => jobFolders().length > 0);
  worker.stdin?.end();
  const { exitCode, stderr } = await ending;
  expect([exitCode, stderr]).toEqual([
    2,
    "<stdin>: a job cannot be run: standard input ends within it\n",
  ]);
  expect(jobFolders()).toEqual([]);
});

test("a worker whose answers nobody reads any more ends quietly, without its folder", async () => {
  const { process: worker, ending } = start();
  worker.stdin?.write(openJob);
  await until(() => jobFolders().length > 0);
  worker.stdout?.destroy();
  worker.stdin?.write(encodeFrame("input", Buffer.from("NaN\n")));
  worker.stdin?.write(encodeFrame("end", Buffer.alloc(0)));
  const { exitCode, stderr } = await ending;
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(jobFolders()).toEqual([]);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s removes the folder of a job", async (signal) => {
  const { process: worker, ending } = start();
  worker.stdin?.write(openJob);
  await until(() => jobFolders().length > 0);
  worker.kill(signal);
  expect((await ending).signal).toBe(signal);
  expect(jobFolders()).toEqual([]);
});

test("what SIGKILL left is removed by the next worker", async () => {
  const { process: worker, ending } = start();
  worker.stdin?.write(openJob);
  await until(() => jobFolders().length > 0);
  worker.kill("SIGKILL");
  await ending;
  expect(jobFolders()).toHaveLength(1);
  const stdin = toJob({ argv: ["--version"] });
  await runProgram(["worker"], { cwd: folder.cwd, env: folder.env, main, stdin });
  expect(jobFolders()).toEqual([]);
});
