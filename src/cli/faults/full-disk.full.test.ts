import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { listFiles } from "../../base/files/folders.js";
import { type BuiltProgram, buildProgram } from "../../base/testing/build-program.js";
import {
  createProgramFolder,
  manyBranches,
  type ProgramFolder,
} from "../../base/testing/program-folder.js";
import { sampleCases } from "../../base/testing/run-count.js";
import { runProgram } from "../../base/testing/run-program.js";
import { EXIT } from "../../base/user-error.js";

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});

let folder: ProgramFolder;
beforeEach(() => {
  folder = createProgramFolder();
});
afterEach(() => folder.remove());

const scattered = manyBranches("scattered");
const adjacent = manyBranches("adjacent");
const manyLinesOfOne = adjacent.replaceAll(/"rollout_id":"r-\d+"/g, '"rollout_id":"r"');
const invalid = `${adjacent}${"NaN\n".repeat(5000)}`;

/** Lines of branches that cannot be compressed to less than half. */
function randomBranches(count: number): string {
  const lines = manyBranches("adjacent").split("\n", count);
  return lines
    .map((line) => line.replace("xxx", () => randomBytes(1000).toString("hex")))
    .join("\n");
}

/** Maximum file size in KiB. One more is like a full disk. */
const LIMIT = 200;

test.each([
  ["an output", adjacent, [], /work\/[dp]po\.jsonl: cannot be written: it would exceed/],
  ["the log of positions", scattered, [], /positions: cannot be written: it would exceed/],
  [
    "the copy of a compressed input",
    gzipSync(scattered),
    [],
    /input-0: cannot be written: it would exceed/,
  ],
  [
    "the rejects",
    invalid,
    ["--skip-invalid", "--rejects", "rejects.jsonl", "--max-errors", "1"],
    /cannot be written: it would exceed/,
  ],
] as const)(
  "no space for %s: former files stay, and nothing else remains",
  async (_, input, argv, message) => {
    const names = ["dpo.jsonl", "ppo.jsonl", "rejects.jsonl"];
    for (const name of names) folder.write(name, `former ${name}`);
    folder.write("in.jsonl", input);
    const { cwd, env } = folder;
    const { exitCode, stdout, stderr } = await runProgram(
      ["export", "--input", "in.jsonl", "--allow-missing-g3", "--workers", "2", ...argv],
      { ...program, cwd, env, prelude: `ulimit -f ${LIMIT}` },
    );
    expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(names.map(folder.read)).toEqual(names.map((name) => `former ${name}`));
    expect(folder.leftovers()).toEqual([]);
  },
);

test.each([
  ["a shard", 1, /work\/shards\/part-00001-of-00001\.jsonl: cannot be written: it would exceed/],
  ["the lines of a range", 1024, /bucket-\d+: cannot be written: it would exceed/],
] as const)(
  "no space for %s of a partition: former files stay, and nothing else remains",
  async (_, shards, message) => {
    // One rollout, whose lines are in one bucket; or many, in one shard.
    const input = shards === 1 ? scattered : manyLinesOfOne;
    folder.write("in.jsonl", input);
    const { cwd, env } = folder;
    const { exitCode, stdout, stderr } = await runProgram(
      ["shard", "split", "--input", "in.jsonl", "--shards", `${shards}`, "--output", "shards"],
      { ...program, cwd, env, prelude: `ulimit -f ${LIMIT}` },
    );
    expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(listFiles(cwd)).toEqual(["in.jsonl"]);
    expect(folder.leftovers()).toEqual([]);
  },
);

test.each(
  sampleCases(
    [
      ["Parquet", ["--store", "parquet"]],
      ["compressed JSONL", ["--compress", "gzip"]],
      ["one of several files", ["--shard-size", "500kB"]],
      ["one of several Parquet files", ["--shard-size", "800kB", "--store", "parquet"]],
    ],
    2,
  ),
)("no space for %s: the former folder stays, and nothing else remains", async (_, argv) => {
  const { cwd, env } = folder;
  const run = (prelude: string) =>
    runProgram(
      ["export", "--input", "in.jsonl", "--allow-missing-g3", "--output-dir", "data", ...argv],
      { ...program, cwd, env, prelude },
    );
  folder.write("in.jsonl", randomBranches(6));
  expect((await run("true")).exitCode).toBe(EXIT.ok);
  const formerFiles = listFiles(join(cwd, "data"));
  const manifest = folder.read("data/manifest.json");
  folder.write("in.jsonl", randomBranches(1500));
  const { exitCode, stdout, stderr } = await run(`ulimit -f ${LIMIT}`);
  expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
  expect(stderr).toMatch(
    /data\/[dp]po\/train-\d{5}-of-\d{5}\.[a-z.]+: cannot be written: it would/,
  );
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(listFiles(join(cwd, "data"))).toEqual(formerFiles);
  expect(folder.read("data/manifest.json")).toBe(manifest);
  expect(folder.leftovers()).toEqual([]);
});

test("a missing temporary folder is reported before anything is read", async () => {
  folder.write("in.jsonl", scattered);
  const { cwd } = folder;
  const { exitCode, stderr } = await runProgram(
    ["export", "--input", "in.jsonl", "--allow-missing-g3"],
    { ...program, cwd, env: { TMPDIR: `${cwd}/none` } },
  );
  expect(exitCode).toBe(EXIT.unreadable);
  expect(stderr).toMatch(
    /^cannot create a temporary folder: ENOENT[^\n]*; set TMPDIR to another folder\n$/,
  );
});
