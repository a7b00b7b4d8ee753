import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DEV_TOOLS, ensurePythonEnv } from "../conformance/python-env.js";
import { reportFailure } from "../src/cli/failure.js";
import { REPO_ROOT } from "./run-script.js";

/** Scripts of package.json that run in sequence beside the tests: together they keep all cores busy. */
const BESIDE = ["typecheck", "lint", "cli -- check", "test:python"];

const VITEST = [join(REPO_ROOT, "node_modules/vitest/vitest.mjs"), "run", ...process.argv.slice(2)];

interface Step {
  readonly name: string;
  readonly isGreen: boolean;
}

const running = new Set<ChildProcess>();

/** Starts a command in its own process group, so that it can be killed with all of its children. */
function start(command: string, args: readonly string[], print: (text: string) => void) {
  const child = spawn(command, args, {
    cwd: REPO_ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: process.stdout.isTTY ? { FORCE_COLOR: "1", ...process.env } : process.env,
  });
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", print);
  return once(child, "close").then(([code]) => {
    running.delete(child);
    return code === 0;
  });
}

function endAll(): void {
  for (const { pid } of running) {
    if (pid === undefined) continue;
    try {
      process.kill(-pid, "SIGTERM");
    } catch {
      // It has exited meanwhile.
    }
  }
}

/** Runs all scripts in sequence, and prints the output of each when it has finished. */
async function runBeside(): Promise<Step[]> {
  const steps: Step[] = [];
  for (const name of BESIDE) {
    const said: string[] = [];
    const isGreen = await start("npm", ["run", "--silent", ...name.split(" ")], (text) =>
      said.push(text),
    );
    process.stdout.write(`\n> ${name}: ${isGreen ? "ok" : "FAILED"}\n${said.join("")}\n`);
    steps.push({ name, isGreen });
  }
  return steps;
}

/** Runs the tests, and prints their output immediately. */
async function runTests(): Promise<Step> {
  const print = (text: string) => process.stdout.write(text);
  return { name: "tests", isGreen: await start(process.execPath, VITEST, print) };
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    endAll();
    process.kill(process.pid, signal);
  });
}
process.on("exit", endAll);

process.stdout.write(`${[...BESIDE, "tests"].join(", ")}: side by side\n`);
const besides = runBeside();
// Both sides need it, and only one may make it. The first script beside the tests does not, and runs meanwhile.
try {
  ensurePythonEnv(REPO_ROOT, DEV_TOOLS);
} catch (error) {
  process.exit(reportFailure(error, process.stderr, process.env));
}
const [tests, beside] = await Promise.all([runTests(), besides]);
const failed = [...beside, tests].filter(({ isGreen }) => !isGreen);
process.stdout.write(
  failed.length === 0
    ? "\nall green\n"
    : `\nFAILED: ${failed.map(({ name }) => name).join(", ")}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
