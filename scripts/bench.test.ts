import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unitsOf } from "../src/testing/exports-of.js";
import { EXIT } from "../src/user-error.js";
import type { ProgramRun } from "./bench/bench.js";
import { Bench, type Sides } from "./bench/bench.js";
import { rows } from "./bench/rows/index.js";
import { createBenchScript } from "./bench.js";
import { runInProcess } from "./testing/run-in-process.js";

/** A folder outside of any git repository. */
let root = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-bench-"));
});

afterAll(() => rmSync(root, { recursive: true }));

/** Runs no program: in every race, the first side takes one second and the second three. */
class FixedBench extends Bench {
  override async race(): Promise<Sides<readonly ProgramRun[]>> {
    return [[{ seconds: 1, stdout: "" }], [{ seconds: 3, stdout: "" }]];
  }
}

/** Measures nothing: runs no program except for Python's version. */
const run = createBenchScript({
  ensurePython: () => "python3",
  build() {},
  createBench: (options) => new FixedBench(options),
});

const bench = (...args: string[]) => runInProcess(run, args, { root });

test("every row in the folder is listed, with a unique id", async () => {
  const folder = join(import.meta.dirname, "bench/rows");
  expect(await unitsOf(folder, ["id", "what", "inputs"])).toEqual(new Set(rows));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test("every row has a title and its inputs", () => {
  for (const { what, inputs } of rows) {
    expect(what).not.toBe("");
    expect(new Set(inputs).size).toBe(inputs.length);
  }
});

test("the table: setting, inputs, the chosen row, missed bars", async () => {
  const sizes = ["--branches", "200", "--runs", "1"];
  const { status, stdout, stderr } = await bench(...sizes, "--only", "g3");
  expect([status, stderr]).toEqual([EXIT.ok, ""]);
  const [table = "", summary = ""] = stdout.split(/\n\n(?=\d+ bars)/);
  expect(table.split("\n")).toEqual([
    expect.stringMatching(/^ {2}disk +up to \S+ kB of \S+ \wB in \//),
    expect.stringMatching(/^ {2}machine +\d+ x .+ GiB, /),
    expect.stringMatching(/^ {2}load +[\d.]+ at the start$/),
    expect.stringMatching(/^ {2}versions +rollout-wire \S+, Node \S+, Python \S+$/),
    "  commit             unknown",
    "  size               200 branches",
    "  runs               best of 1, in turn with the peer",
    expect.stringMatching(/^ {2}input +tasks: tasks of the rollouts; 50 records, \S+ kB$/),
    expect.stringMatching(/^ {2}input +eval-items: .*; 250 records, \S+ kB$/),
    expect.stringMatching(/^ {2}input +tasks-half: .*; 25 records, \S+ kB$/),
    expect.stringMatching(/^ {2}input +eval-items-half: .*; 125 records, \S+ kB$/),
    "",
    expect.stringMatching(/^ measured {2}bar /),
    "   3.00 s  <= 10 s     met          G3 alone, tasks against evaluation items, both files read and compared  (wall time of the process)",
    "   3.00 x  <= 2.2 x    falls short  G3 alone, tasks against evaluation items, twice the tasks and items  (1.00 s, then 3.00 s)",
  ]);
  expect(summary.split("\n")).toEqual(["2 bars, 1 met, 1 short", table.split("\n").at(-1), ""]);
});

test("the same as JSON", async () => {
  const { status, stdout } = await bench("--branches", "200", "--format", "json", "--only", "g3");
  expect(status).toBe(EXIT.ok);
  const report: { rows: { id: string; value: number; verdict: string }[] } = JSON.parse(stdout);
  expect(report.rows).toMatchObject([
    { id: "g3", value: 3, verdict: "met" },
    { id: "g3", value: 3, verdict: "falls short" },
  ]);
});

describe("a user error is one line", () => {
  test.each([
    [["--only", "speed"], /^--only: no row is called "speed"; there are two-cores, .*\n$/],
    [["--branches", "many"], "--branches must be a whole number from 40\n"],
    [["--runs", "0"], "--runs must be a whole number from 1\n"],
    [["--format", "xml"], '--format is text or json, not "xml"\n'],
  ])("%j", async (args, line) => {
    const { status, stdout, stderr } = await bench(...args);
    expect([status, stdout]).toEqual([EXIT.usage, ""]);
    expect(stderr).toMatch(line);
  });
});
