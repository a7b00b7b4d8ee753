import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unitsOf } from "../src/base/testing/exports-of.js";
import { EXIT } from "../src/base/user-error.js";
import { Bench, type Racer, type Runs } from "./bench/bench.js";
import { rows } from "./bench/rows/index.js";
import { createBenchScript } from "./bench.js";
import { runInProcess } from "./testing/run-in-process.js";

/** A folder outside of any git repository. */
let root = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-bench-"));
});

afterAll(() => rmSync(root, { recursive: true }));

/** Runs no program: in every race, the first takes one second, and each other one two more than the one before. */
class FixedBench extends Bench {
  override async race(racers: Iterable<Racer>): Promise<Runs> {
    const run = { stdout: "", peakBytes: 1, records: [] };
    return new Map(
      Array.from(racers, (racer, index) => {
        const seconds = 1 + 2 * index;
        return [racer, [{ ...run, seconds, cpuSeconds: 2 * seconds }]];
      }),
    );
  }
}

/** Measures nothing: runs no program except for Python's version. */
const run = createBenchScript({
  ensurePython: () => "python3",
  ensureNode: (_root, version) => ({ version, path: "node" }),
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
    expect.stringMatching(
      /^ {2}versions +rollout-wire \S+, Node \S+ and \S+, Python \S+, orjson \S+, duckdb \S+, jsonschema_rs \S+, pydantic \S+$/,
    ),
    "  commit             unknown",
    "  size               200 branches",
    "  runs               best of 1, in turn with the peer",
    expect.stringMatching(/^ {2}input +tasks: tasks of the rollouts; 50 records, \S+ kB$/),
    expect.stringMatching(/^ {2}input +eval-items: .*; 250 records, \S+ kB$/),
    expect.stringMatching(/^ {2}input +tasks-half: .*; 25 records, \S+ kB$/),
    expect.stringMatching(/^ {2}input +eval-items-half: .*; 125 records, \S+ kB$/),
    "",
    expect.stringMatching(/^ measured {2}bar /),
    "   3.00 s  <= 10 s     met          6.00 s           G3 alone, tasks against evaluation items, both files read and compared  (wall time of the process)",
    "   3.00 x  <= 2.2 x    falls short  2.00 / 6.00 s    G3 alone, tasks against evaluation items, twice the tasks and items  (1.00 s, then 3.00 s)",
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

test("a contest: both shapes, on each version of Node, against each peer", async () => {
  const { status, stdout } = await bench(
    "--branches",
    "40",
    "--node",
    "20.1.0",
    "24.2.0",
    "--only",
    "validate",
  );
  expect(status).toBe(EXIT.ok);
  const [, table = ""] = stdout.split("what  (figures)\n");
  const [lines = ""] = table.split("\n\n");
  const expected = ["rollouts", "mixed"].flatMap((shape) => [
    `   3.00 x  >= 1 x      met          2.00 / 6.00 s    validate, ${shape}, Node 20 / JSON.parse  (1.00 s against 3.00 s)`,
    `   5.00 x  >= 1 x      met          2.00 / 10.00 s   validate, ${shape}, Node 20 / orjson + jsonschema-rs  (1.00 s against 5.00 s)`,
    `  0.200 x  <= 2 x      met          2.00 / 10.00 s   validate, ${shape}, Node 20, processor time / orjson + jsonschema-rs  (1.00 s against 5.00 s)`,
    `   1.29 x  >= 1 x      met          14.00 / 18.00 s  validate, ${shape}, Node 24 / JSON.parse  (7.00 s against 9.00 s)`,
    `  0.714 x  >= 1 x      falls short  14.00 / 10.00 s  validate, ${shape}, Node 24 / orjson + jsonschema-rs  (7.00 s against 5.00 s)`,
    `   1.40 x  <= 2 x      met          14.00 / 10.00 s  validate, ${shape}, Node 24, processor time / orjson + jsonschema-rs  (7.00 s against 5.00 s)`,
  ]);
  expect(lines.split("\n")).toEqual(expected);
});

describe("a user error is one line", () => {
  test.each([
    [["--only", "speed"], /^--only: no row is called "speed"; there are validate, .*\n$/],
    [["--node", "24"], '--node is a whole version such as 24.21.0, not "24"\n'],
    [["--branches", "many"], "--branches must be a whole number from 40\n"],
    [["--runs", "0"], "--runs must be a whole number from 1\n"],
    [["--format", "xml"], '--format is text or json, not "xml"\n'],
  ])("%j", async (args, line) => {
    const { status, stdout, stderr } = await bench(...args);
    expect([status, stdout]).toEqual([EXIT.usage, ""]);
    expect(stderr).toMatch(line);
  });
});
