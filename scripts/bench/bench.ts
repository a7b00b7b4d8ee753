import { spawn } from "node:child_process";
import { createReadStream, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "../../src/base/json/value.js";
import { UserError } from "../../src/base/user-error.js";
import { REPO_ROOT } from "../run-script.js";
import { type InputId, inputKinds, type WrittenFile, writeJsonl } from "./input-branches.js";
import type { NodeBinary } from "./node-binaries.js";

/** A program to measure, as a child process. */
export interface Program {
  /** Path of the executable, and its arguments. */
  readonly argv: readonly [command: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** The files of JSON Lines that it writes to its output folder. */
  readonly writes?: readonly string[];
}

/** What a program used; see `measure.py`. */
export interface Usage {
  /** Wall time of the process from start to exit. */
  readonly seconds: number;
  /** Processor time, user and system, of all its threads and of the processes that it waited for. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

export interface ProgramRun extends Usage {
  readonly stdout: string;
  /** Number of records in each file that the program wrote. */
  readonly records: readonly number[];
}

const MEASURE = join(REPO_ROOT, "scripts/bench/measure.py");

/** Number of last lines shown of a failed program's output. */
const SHOWN_LINES = 5;

export interface BenchOptions {
  /** An existing, empty folder. */
  readonly folder: string;
  /** Number of branches in the inputs: a multiple of 4. */
  readonly branches: number;
  /** Number of runs of each side; the best one counts. */
  readonly runs: number;
  /** Path of the Python that has the peers' packages. */
  readonly python: string;
  /** The versions of Node on which rollout-wire races its peers. */
  readonly nodes: readonly NodeBinary[];
}

/** A program of a race, given an empty folder for its output. */
export type Racer = (outputs: string) => Program;

/** The best of several runs, each value on its own. */
export type Times = Pick<Usage, "seconds" | "cpuSeconds">;

/** The runs of each program of a race. */
export type Runs = ReadonlyMap<Racer, readonly ProgramRun[]>;

/** The environment of the rows: creates inputs and runs programs on them. */
export class Bench {
  readonly python: string;
  readonly nodes: readonly NodeBinary[];
  readonly #options: BenchOptions;

  constructor(options: BenchOptions) {
    this.#options = options;
    this.python = options.python;
    this.nodes = options.nodes;
  }

  /** Path of an input, which is written on first use. */
  input(id: InputId): string {
    return join(this.#options.folder, `${id}.jsonl`);
  }

  writeInput(id: InputId): WrittenFile {
    return writeJsonl(this.input(id), inputKinds[id].records(this.#options.branches));
  }

  /** Runs a program once. Throws UserError if it fails. */
  async run(racer: Racer): Promise<ProgramRun> {
    const { folder } = this.#options;
    const outputs = join(folder, "outputs");
    const report = join(folder, "usage.json");
    mkdirSync(outputs);
    try {
      const program = racer(outputs);
      const measured = [this.python, "-I", "-S", MEASURE, report, ...program.argv] as const;
      const stdout = await runProgram({ ...program, argv: measured }, folder);
      const records: number[] = [];
      for (const file of program.writes ?? []) records.push(await countLines(join(outputs, file)));
      return { ...readUsage(report), stdout, records };
    } finally {
      rmSync(outputs, { recursive: true });
    }
  }

  /**
   * Runs each of the programs in turn, so that noise affects all of them, `rounds` times as often as the
   * benchmark was asked to. Throws UserError if one of them fails.
   */
  async race(racers: Iterable<Racer>, rounds = 1): Promise<Runs> {
    const runs = new Map(Array.from(racers, (racer) => [racer, [] as ProgramRun[]]));
    for (let round = 0; round < rounds * this.#options.runs; round += 1) {
      for (const [racer, those] of runs) those.push(await this.run(racer));
    }
    return runs;
  }

  /** The best times of a race between two programs. */
  async raceTimes(first: Racer, second: Racer, rounds?: number): Promise<[Times, Times]> {
    const runs = await this.race([first, second], rounds);
    return [bestTimes(runs, first), bestTimes(runs, second)];
  }
}

/** Throws RangeError if the program took no part in the race. */
export function runsOf(runs: Runs, racer: Racer): readonly ProgramRun[] {
  const found = runs.get(racer);
  if (found === undefined) throw new RangeError("the program took no part in the race");
  return found;
}

export function bestTimes(runs: Runs, racer: Racer): Times {
  const those = runsOf(runs, racer);
  return {
    seconds: Math.min(...those.map(({ seconds }) => seconds)),
    cpuSeconds: Math.min(...those.map(({ cpuSeconds }) => cpuSeconds)),
  };
}

/**
 * Runs a program to its end, with its temporary files in `folder`, and returns what it printed. Throws UserError
 * if it cannot be started or does not exit with 0: a program that fails early would look fast.
 */
function runProgram({ argv, env }: Program, folder: string): Promise<string> {
  const [command, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, TMPDIR: folder, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", (error) => reject(new UserError(`${command}: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(stdout);
      const said = (stderr + stdout).trim().split("\n").slice(-SHOWN_LINES).join("\n");
      reject(new UserError(`${argv.join(" ")}: ended with ${code ?? signal}:\n${said}`));
    });
  });
}

function readUsage(path: string): Usage {
  const usage: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (isJsonObject(usage)) {
    const { seconds, cpuSeconds, peakBytes } = usage;
    const isRead = [seconds, cpuSeconds, peakBytes].every((value) => typeof value === "number");
    if (isRead)
      return {
        seconds: Number(seconds),
        cpuSeconds: Number(cpuSeconds),
        peakBytes: Number(peakBytes),
      };
  }
  throw new TypeError(`not a report of measure.py: ${JSON.stringify(usage)}`);
}

const NEWLINE = 0x0a;

async function countLines(path: string): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(path)) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  }
  return count;
}
