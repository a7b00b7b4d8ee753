import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Bench, type Program } from "./bench.js";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-bench-run-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

function run(code: string, program: Omit<Program, "argv"> = {}, ...args: string[]) {
  const bench = new Bench({ folder, branches: 40, runs: 1, python: "python3", nodes: [] });
  return bench.run((outputs) => ({
    argv: [process.execPath, "-e", code, ...args, outputs],
    ...program,
  }));
}

/** Spins until the process has used so much processor time, however long that takes. */
const SPIN = `
  const used = () => process.cpuUsage().user + process.cpuUsage().system;
  while (used() < 2e5);
`;

test("processor time is that of all threads and child processes", async () => {
  const [alone, threads, children] = [
    await run(SPIN),
    await run(`
      const { Worker } = require("node:worker_threads");
      new Worker(${JSON.stringify(SPIN)}, { eval: true });
    `),
    await run(`
      const { spawn } = require("node:child_process");
      for (let n = 0; n < 3; n += 1) spawn(process.execPath, ["-e", ${JSON.stringify(SPIN)}]);
    `),
  ];
  expect(alone.cpuSeconds).toBeGreaterThanOrEqual(0.2);
  expect(threads.cpuSeconds).toBeGreaterThanOrEqual(0.2);
  expect(children.cpuSeconds).toBeGreaterThanOrEqual(0.6);
});

test("peak memory is that of the program, not of the one that started it", async () => {
  const small = await run("0");
  const large = await run("Buffer.alloc(400e6, 1)");
  expect(small.peakBytes).toBeLessThan(150e6);
  expect(large.peakBytes).toBeGreaterThan(400e6);
});

test("what a program prints, and the records that it writes", async () => {
  const code = `
    const { writeFileSync } = require("node:fs");
    const folder = process.argv.at(-1);
    writeFileSync(folder + "/one.jsonl", "1\\n2\\n");
    writeFileSync(folder + "/none.jsonl", "");
    process.stdout.write("done");
  `;
  const result = await run(code, { writes: ["one.jsonl", "none.jsonl"] });
  expect(result).toMatchObject({ stdout: "done", records: [2, 0] });
});

test("a program that fails ends the benchmark with its code and its last lines", async () => {
  await expect(run("console.error('no such file'); process.exit(3)")).rejects.toThrow(
    /ended with 3:\nno such file$/,
  );
  await expect(run("process.kill(process.pid, 'SIGKILL')")).rejects.toThrow(/ended with 137:/);
});
