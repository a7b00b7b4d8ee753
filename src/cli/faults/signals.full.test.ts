import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BuiltProgram, buildProgram } from "../../base/testing/build-program.js";
import {
  createProgramFolder,
  manyBranches,
  type ProgramFolder,
} from "../../base/testing/program-folder.js";
import { runCount } from "../../base/testing/run-count.js";
import {
  type Ending,
  type RunningProgram,
  runProgram,
  startProgram,
} from "../../base/testing/run-program.js";

const ARGV = ["export", "--allow-missing-g3", "--exported-at-ms", "0", "--workers", "2", "--input"];
const PIECES = 8;
/** Scattered, so that a signal can arrive during the second read. */
const input = manyBranches("scattered");

let program: BuiltProgram;
/** The output of an undisturbed run. */
let expected = { dpo: "", ppo: "" };
beforeAll(async () => {
  program = buildProgram();
  const folder = createProgramFolder();
  const { cwd, env } = folder;
  const { exitCode } = await runProgram([...ARGV, "-"], { ...program, cwd, env, stdin: input });
  expect(exitCode).toBe(0);
  expected = outputsOf(folder);
  folder.remove();
});

let folder: ProgramFolder;
let running: RunningProgram | undefined;
beforeEach(() => {
  folder = createProgramFolder();
  folder.write("dpo.jsonl", "former dpo");
  folder.write("ppo.jsonl", "former ppo");
});
afterEach(async () => {
  running?.process.kill("SIGKILL");
  await running?.ending;
  folder.remove();
});

function outputsOf(folder: ProgramFolder) {
  return { dpo: folder.read("dpo.jsonl"), ppo: folder.read("ppo.jsonl") };
}

const former = { dpo: "former dpo", ppo: "former ppo" };

/** Moments of a run: after a number of input chunks, after the last chunk, and some time later. */
interface Moment {
  readonly pieces: number;
  readonly milliseconds: number;
}

/** Moments all over the run. The assertions must hold at any moment. */
function momentsOf(count: number): Moment[] {
  return Array.from({ length: count }, (_, index) => ({
    pieces: (index * 7) % (PIECES + 2),
    milliseconds: (index * 37) % 150,
  }));
}

async function signalAt({ pieces, milliseconds }: Moment, signal: NodeJS.Signals): Promise<Ending> {
  const { cwd, env } = folder;
  running = startProgram([...ARGV, "-"], { ...program, cwd, env });
  const { stdin } = running.process;
  if (stdin === null) throw new TypeError("standard input is a pipe");
  const length = Math.ceil(input.length / PIECES);
  for (let piece = 0; piece < Math.min(pieces, PIECES); piece += 1) {
    // A pipe has a small buffer, so it drains once the previous data is read.
    if (!stdin.write(input.slice(piece * length, (piece + 1) * length))) await once(stdin, "drain");
  }
  if (pieces > PIECES) stdin.end();
  await delay(milliseconds);
  running.process.kill(signal);
  return await running.ending;
}

describe.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s", (signal) => {
  const amid = { pieces: PIECES, milliseconds: 0 };
  test.each([...momentsOf(runCount(10, 2)), amid])(
    "at moment %#: all former files or all new ones, and no other",
    async (moment) => {
      const { exitCode, signal: endedBy, stdout } = await signalAt(moment, signal);
      expect(endedBy === signal || exitCode === 0).toBe(true);
      expect(stdout).toBe("");
      expect([former, expected], JSON.stringify(moment)).toContainEqual(outputsOf(folder));
      if (exitCode === 0) expect(outputsOf(folder)).toEqual(expected);
      // With its input still open, the run cannot have finished.
      if (moment.pieces <= PIECES) expect(outputsOf(folder)).toEqual(former);
      expect(folder.leftovers()).toEqual([]);
    },
  );
});

test.each(momentsOf(runCount(30, 5)))(
  "SIGKILL at moment %#: every output is intact, and a second run completes",
  async (moment) => {
    await signalAt(moment, "SIGKILL");
    const outputs = outputsOf(folder);
    expect([former.dpo, expected.dpo], JSON.stringify(moment)).toContain(outputs.dpo);
    expect([former.ppo, expected.ppo], JSON.stringify(moment)).toContain(outputs.ppo);
    const { cwd, env } = folder;
    const again = await runProgram([...ARGV, "-"], { ...program, cwd, env, stdin: input });
    expect(again.exitCode).toBe(0);
    expect(outputsOf(folder)).toEqual(expected);
    expect(folder.leftovers()).toEqual([]);
  },
);
