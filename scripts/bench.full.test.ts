import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ALL_PARTS,
  copyRepository,
  type RepositoryCopy,
} from "../src/base/testing/copy-repository.js";
import { sampleCases } from "../src/base/testing/run-count.js";
import { EXIT } from "../src/base/user-error.js";
import { rows } from "./bench/rows/index.js";

const VERDICTS = ["met", "falls short", "no bar"];
const ids = rows.map(({ id }) => id);

let copy: RepositoryCopy;

beforeAll(() => {
  copy = copyRepository(ALL_PARTS);
});

afterAll(() => copy.remove());

function bench(...args: string[]): ReturnType<RepositoryCopy["run"]> {
  // One version of Node, the installed one.
  const sizes = ["--branches", "200", "--runs", "1", "--node", process.versions.node];
  return copy.run("bench", ...sizes, ...args);
}

/** In small groups, so that no run takes as long as a test that hangs. */
const FEW = 3;

const groups = ids
  .flatMap((_, index) => (index % FEW === 0 ? [ids.slice(index, index + FEW)] : []))
  .map((few) => [few] as const);

test.each(sampleCases(groups, 1))("every row runs and gives numbers: %j", (few) => {
  const { status, stdout, stderr } = bench("--format", "json", "--only", ...few);
  expect([status, stderr]).toEqual([EXIT.ok, ""]);
  const report: { rows: { id: string; value: number; verdict: string }[] } = JSON.parse(stdout);
  expect([...new Set(report.rows.map(({ id }) => id))]).toEqual(few);
  expect(report.rows.filter(({ value }) => !(value > 0))).toEqual([]);
  expect(report.rows.filter(({ verdict }) => !VERDICTS.includes(verdict))).toEqual([]);
});

// Whether a bar is met depends on the machine; the position of missed ones, at the end, does not.
test("the table: setting, inputs, the chosen row, missed bars", () => {
  const { status, stdout } = bench("--only", "g3");
  expect(status).toBe(EXIT.ok);
  const [table = "", summary = ""] = stdout.split(/\n\n(?=\d+ bars)/);
  expect(table.split("\n")).toEqual([
    expect.stringMatching(/^ {2}disk +up to \S+ kB of \S+ \wB in \//),
    expect.stringMatching(/^ {2}machine +\d+ x .+ GiB, /),
    expect.stringMatching(/^ {2}load +[\d.]+ at the start$/),
    expect.stringMatching(/^ {2}versions +rollout-wire \S+, Node \S+, Python \S+, orjson /),
    "  commit             unknown",
    "  size               200 branches",
    "  runs               best of 1, in turn with the peer",
    expect.stringMatching(/^ {2}input +tasks: tasks of the rollouts; 50 records, \S+ kB$/),
    expect.stringMatching(/^ {2}input +eval-items: .*; 250 records, \S+ kB$/),
    expect.stringMatching(/^ {2}input +tasks-half: .*; 25 records, \S+ kB$/),
    expect.stringMatching(/^ {2}input +eval-items-half: .*; 125 records, \S+ kB$/),
    "",
    expect.stringMatching(/^ measured {2}bar /),
    expect.stringMatching(
      / s {2}<= 10 s +(met|falls short) +[\d.]+ s +G3 alone, .*, both files read and compared {2}\(/,
    ),
    expect.stringMatching(
      / x {2}<= 2\.2 x +(met|falls short) +[\d.]+ \/ [\d.]+ s +G3 alone, .*, twice the tasks and items {2}\(/,
    ),
  ]);
  const short = table.split("\n").filter((line) => line.includes("falls short"));
  expect(summary.trimEnd().split("\n")).toEqual([
    `2 bars, ${2 - short.length} met, ${short.length} short`,
    ...short,
  ]);
});
