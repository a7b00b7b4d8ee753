import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../src/base/json/print.js";
import { packageRoot } from "../../src/base/package.js";
import { readCodeBlocks } from "../package/testing/read-command-lines.js";
import { pythonPath } from "../python-env.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";
import { findDifference } from "./testing/find-difference.js";

type Rows = readonly Readonly<Record<string, unknown>>[];
interface Frames {
  readonly rows: Rows;
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly [library: string]: Rows | Readonly<Record<string, readonly string[]>>;
}

const LIBRARIES = ["pandas", "polars", "polars from arrow", "pyarrow", "datasets"];

let folder = "";
let frames: Frames;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-frames-"));
  mkdirSync(join(folder, "runs"));
  const path = join(folder, "runs/rollouts.jsonl");
  writeFileSync(path, toJsonl(createRollouts()));
  const request = {
    package: pythonPath(packageRoot()),
    path,
    type: "RolloutBranchRecord",
  };
  frames = runConsumer<Frames>("read_frames", request);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(LIBRARIES)("%s holds every row of the Python package", (library) => {
  expect(frames.rows.length).toBeGreaterThan(10);
  expect(findDifference(frames.rows, frames[library])).toBeUndefined();
});

test("the code in docs/python.md runs and makes equal frames", () => {
  const [code] = readCodeBlocks(
    readFileSync(join(packageRoot(), "docs/python.md"), "utf8"),
    "python",
  );
  expect(code).toContain("Dataset.from_generator");
  const request = { package: pythonPath(packageRoot()), folder, code };
  const made = runConsumer<Rows[]>("run_frames_code", request);
  expect(made).toHaveLength(2);
  for (const rows of made) expect(findDifference(frames.rows, rows)).toBeUndefined();
});

test("the columns are the fields, without those of the implementation", () => {
  const [first = {}] = frames.rows;
  expect(Object.values(frames.columns)).toEqual([Object.keys(first), Object.keys(first)]);
  expect(Object.keys(first)).toContain("total_score");
  expect(JSON.stringify(frames)).not.toMatch(/_keys|UNSET/);
});
