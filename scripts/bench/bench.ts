import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../src/user-error.js";
import { type InputId, inputKinds, type WrittenFile, writeJsonl } from "./input-branches.js";

/** A program to measure, as a child process. */
export interface Program {
  /** Path of the executable, and its arguments. */
  readonly argv: readonly [command: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export interface ProgramRun {
  /** Wall time of the process from start to exit. */
  readonly seconds: number;
  readonly stdout: string;
}

/** Number of last lines shown of a failed program's output. */
const SHOWN_LINES = 5;

/**
 * Runs a program to its end, with its temporary files in `folder`. Throws UserError if it cannot be started
 * or does not exit with 0: a program that fails early would look fast.
 */
export function runProgram({ argv, env }: Program, folder: string): Promise<ProgramRun> {
  const [command, ...args] = argv;
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, TMPDIR: folder, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr, seconds] = ["", "", 0];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("exit", () => {
      seconds = (performance.now() - started) / 1000;
    });
    child.on("error", (error) => reject(new UserError(`${command}: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve({ seconds, stdout });
      const said = (stderr + stdout).trim().split("\n").slice(-SHOWN_LINES).join("\n");
      reject(new UserError(`${argv.join(" ")}: ended with ${code ?? signal}:\n${said}`));
    });
  });
}

const PEAK_HOOK = new URL("programs/report-peak-memory.mjs", import.meta.url).href;

/** Peak memory of a Node program in bytes, including its worker threads. */
export async function measurePeakBytes({ argv, env }: Program, folder: string): Promise<number> {
  const [command, ...args] = argv;
  const report = join(folder, "peak-bytes");
  await runProgram(
    { argv: [command, "--import", PEAK_HOOK, ...args], env: { ...env, BENCH_PEAK_FILE: report } },
    folder,
  );
  if (!existsSync(report)) throw new Error(`${argv.join(" ")}: did not report its memory`);
  return Number(readFileSync(report, "utf8"));
}

export interface BenchOptions {
  /** An existing, empty folder. */
  readonly folder: string;
  /** Number of branches in the inputs: a multiple of 4. */
  readonly branches: number;
  /** Number of runs of each side; the best one counts. */
  readonly runs: number;
  /** Path of the Python that has the peers' packages. */
  readonly python: string;
}

/** A program of a race, given an empty folder for its output. */
export type Racer = (outputs: string) => Program;

/** The results of the two sides of a race. */
export type Sides<T> = readonly [first: T, second: T];

/** The environment of the rows: creates inputs and runs programs on them. */
export class Bench {
  readonly python: string;
  readonly #options: BenchOptions;

  constructor(options: BenchOptions) {
    this.#options = options;
    this.python = options.python;
  }

  /** Path of an input, which is written on first use. */
  input(id: InputId): string {
    return join(this.#options.folder, `${id}.jsonl`);
  }

  writeInput(id: InputId): WrittenFile {
    return writeJsonl(this.input(id), inputKinds[id].records(this.#options.branches));
  }

  /** Folder with the output of one side in the last run of the latest race. */
  outputs(side: 0 | 1): string {
    return join(this.#options.folder, `outputs-${side}`);
  }

  /** Runs a program once. Throws UserError if it fails. */
  run(racer: Racer, side: 0 | 1 = 0): Promise<ProgramRun> {
    return runProgram(racer(this.#emptyOutputs(side)), this.#options.folder);
  }

  /**
   * Runs two programs alternately, so that noise affects both, and returns their runs. Throws UserError if
   * one of them fails.
   */
  async race(first: Racer, second: Racer): Promise<Sides<readonly ProgramRun[]>> {
    const runs: Sides<ProgramRun[]> = [[], []];
    for (let round = 0; round < this.#options.runs; round += 1) {
      runs[0].push(await this.run(first, 0));
      runs[1].push(await this.run(second, 1));
    }
    return runs;
  }

  /** Wall times of a race in seconds, the best run of each side. */
  async raceTimes(first: Racer, second: Racer): Promise<Sides<number>> {
    const [firsts, seconds] = await this.race(first, second);
    return [shortest(firsts), shortest(seconds)];
  }

  /** Wall time of a program without a peer in seconds, the best of its runs. */
  async time(racer: Racer): Promise<number> {
    const runs: ProgramRun[] = [];
    for (let round = 0; round < this.#options.runs; round += 1) runs.push(await this.run(racer));
    return shortest(runs);
  }

  /** Peak memory of a Node program in bytes, in one run. */
  peakBytes(racer: Racer): Promise<number> {
    return measurePeakBytes(racer(this.#emptyOutputs(0)), this.#options.folder);
  }

  removeOutputs(): void {
    for (const side of [0, 1] as const) {
      rmSync(this.outputs(side), { recursive: true, force: true });
    }
  }

  #emptyOutputs(side: 0 | 1): string {
    const folder = this.outputs(side);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    return folder;
  }
}

function shortest(runs: readonly ProgramRun[]): number {
  return Math.min(...runs.map(({ seconds }) => seconds));
}
