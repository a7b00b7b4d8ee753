import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildProgram } from "../../../../src/base/testing/build-program.js";

/**
 * A program in place of `rollout-wire` that kills the worker, the Python process that started it, or its executor, in the
 * middle of an answer. It passes on what it gets. On the driver it kills nothing.
 */
const PROGRAM = `
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
const { MAIN, KILLS, VICTIM, AFTER } = process.env;
const limits = AFTER.split(",").map(Number);
const child = spawn(process.execPath, [MAIN, "worker"], { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.on("error", () => {}).pipe(child.stdin).on("error", () => {});
const isExecutor = readFileSync("/proc/" + process.ppid + "/cmdline", "utf8").includes("pyspark");
let passed = 0;
child.stdout.on("data", (chunk) => {
  passed += chunk.length;
  const next = readdirSync(KILLS).length;
  if (isExecutor && passed > (limits[next] ?? Infinity) && take(next)) {
    child.kill("SIGKILL");
    process.stdout.write(chunk.subarray(0, chunk.length / 2), () => {
      process.kill(VICTIM === "node" ? process.pid : VICTIM === "python" ? process.ppid : executor(), "SIGKILL");
    });
    return;
  }
  process.stdout.write(chunk);
});
process.stdout.on("error", () => child.kill());
child.on("exit", (code) => { if (code !== null) process.exitCode = code; process.stdin.destroy(); });
// The parent of the daemon that forks the Python processes of an executor.
function executor() {
  const parentOf = (pid) => Number(readFileSync("/proc/" + pid + "/stat", "utf8").split(") ")[1].split(" ")[1]);
  return parentOf(parentOf(process.ppid));
}
function take(index) {
  try {
    mkdirSync(KILLS + "/" + index);
    return true;
  } catch {
    return false;
  }
}
`;

export interface FailingProgram {
  /** For the driver and the executors. */
  readonly env: Readonly<Record<string, string>>;
  /** How often it has killed. */
  kills(): number;
}

/** `after`: bytes of answers after which the first worker is killed, then the next one, and so on. */
export function createFailingProgram(
  folder: string,
  victim: "node" | "python" | "executor",
  after: readonly number[],
): FailingProgram {
  const kills = join(folder, `kills-${victim}-${after.length}`);
  mkdirSync(kills);
  const program = join(folder, "failing-program.mjs");
  writeFileSync(program, PROGRAM);
  return {
    env: {
      ROLLOUT_WIRE_PROGRAM: program,
      MAIN: buildProgram().main,
      KILLS: kills,
      VICTIM: victim,
      AFTER: after.join(","),
    },
    kills: () => readdirSync(kills).length,
  };
}
