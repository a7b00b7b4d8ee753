import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../src/user-error.js";

/** A program to measure, as a child process. */
export interface Program {
  /** Path of the executable, and its arguments. */
  readonly argv: readonly [command: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export interface ProgramRun {
  /** Wall time of the process, from its start to its end. */
  readonly seconds: number;
  readonly stdout: string;
}

/** Lines of a failed program that are shown, the last ones. */
const SHOWN_LINES = 5;

/**
 * Runs a program to its end, with its temporary files in `folder`. Throws UserError when it cannot be
 * started, or does not exit 0: a program that fails early would look fast.
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

/** Most bytes of memory that a Node program held at a time, its worker threads included. */
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
