import { type ChildProcess, spawn } from "node:child_process";
import { buildProgram } from "./build-program.js";

interface ProgramOptions {
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments for Node itself. */
  readonly nodeArguments?: readonly string[];
  /** The compiled program. Default: that of `buildProgram`. */
  readonly main?: string;
  /** Bash commands that run before the program in its process: limits and redirections. */
  readonly prelude?: string;
  /** Written to standard input, which is then closed. Default: empty. */
  readonly stdin?: string | Uint8Array;
}

/** How a program ended, and its output. */
export interface Ending {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program in its own process. */
export interface RunningProgram {
  readonly process: ChildProcess;
  /** Resolves when the process has ended and its output is read. */
  readonly ending: Promise<Ending>;
}

/** Starts the program as a user does. Its standard input stays open unless `stdin` is given. */
export function startProgram(
  argv: readonly string[],
  {
    cwd,
    env = {},
    nodeArguments = [],
    main = buildProgram().main,
    prelude = "",
    stdin,
  }: ProgramOptions,
): RunningProgram {
  const node = [process.execPath, ...nodeArguments, main, ...argv];
  const child = spawn("bash", ["-c", `${prelude}\nexec "$@"`, "bash", ...node], {
    cwd,
    env: { ...process.env, ...env },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  // A program that does not read to the end reports that by its exit code.
  child.stdin.on("error", () => {});
  if (stdin !== undefined) child.stdin.end(stdin);
  const ending = new Promise<Ending>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal, ...output }));
  });
  return { process: child, ending };
}

/** Runs the program to its end. */
export async function runProgram(
  argv: readonly string[],
  { stdin = "", ...options }: ProgramOptions,
): Promise<Ending> {
  return await startProgram(argv, { ...options, stdin }).ending;
}
