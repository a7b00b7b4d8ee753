import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildProgram } from "../../../../src/base/testing/build-program.js";

/** A program in place of `rollout-wire` that keeps the jobs that it passes on. */
const PROGRAM = `
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
const { MAIN, LOG } = process.env;
const child = spawn(process.execPath, [MAIN, "worker"], { stdio: ["pipe", "inherit", "inherit"] });
let bytes = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  bytes = Buffer.concat([bytes, chunk]);
  for (let end; bytes.length >= 5 && bytes.length >= (end = 5 + bytes.readUInt32BE(1)); bytes = bytes.subarray(end)) {
    if (bytes[0] === "J".charCodeAt(0)) appendFileSync(LOG, bytes.toString("utf8", 5, end) + "\\n");
  }
});
process.stdin.on("error", () => {}).pipe(child.stdin).on("error", () => {});
child.on("exit", (code) => { process.exitCode = code ?? 1; process.stdin.destroy(); });
`;

export interface LoggingProgram {
  /** For the driver and the executors. */
  readonly env: Readonly<Record<string, string>>;
  /** How often each call or command was a job since this was asked last. */
  takeJobs(): Readonly<Record<string, number>>;
}

export function createLoggingProgram(folder: string): LoggingProgram {
  const log = join(folder, "jobs.jsonl");
  const program = join(folder, "logging-program.mjs");
  writeFileSync(program, PROGRAM);
  return {
    env: { ROLLOUT_WIRE_PROGRAM: program, MAIN: buildProgram().main, LOG: log },
    takeJobs() {
      const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [];
      rmSync(log, { force: true });
      const counts: Record<string, number> = {};
      for (const line of lines) {
        const { call, argv } = JSON.parse(line);
        const name: string = call ?? argv[0];
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    },
  };
}
