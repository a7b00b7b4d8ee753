import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../src/base/json/print.js";
import { holdsJson } from "../../src/base/parquet/schema.js";
import { createTestFolder, type TestFolder } from "../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../src/base/user-error.js";
import { isTargetId, targets } from "../../src/rollouts/wire/export/targets/index.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";
import { findDifference } from "./testing/find-difference.js";
import { type WrittenFile, writeTarget } from "./testing/write-target.js";

interface Reading {
  readonly file: {
    readonly schema: string;
    readonly row_groups: number;
    readonly created_by: string;
  };
  readonly rows: Readonly<Record<string, readonly object[]>>;
}

const LIBRARIES = ["pyarrow", "duckdb", "polars", "datasets"];

let folder: TestFolder;
let files: WrittenFile[] = [];
let readings: readonly Reading[] = [];

beforeAll(async () => {
  folder = createTestFolder();
  const branches = createRollouts();
  folder.write("rollouts.jsonl", toJsonl(branches));
  const ids = Object.keys(targets).filter(isTargetId);
  files = ids.flatMap((target) => writeTarget(target, branches, join(folder.path, "jsonl")));
  for (const target of ids) {
    const argv = ["export", "--input", "rollouts.jsonl", "--allow-missing-g3", "--target", target];
    const time = ["--exported-at-ms", "1700000000000"];
    const { exitCode } = await folder.run([
      ...argv,
      ...time,
      ...["--output-dir", target, "--store", "parquet"],
    ]);
    expect(exitCode).toBe(EXIT.ok);
  }
  readings = runConsumer<Reading[]>(
    "read_parquet",
    files.map(({ target, kind, features }) => ({
      path: join(folder.path, target, kind, "train-00000-of-00001.parquet"),
      json: Object.keys(features).filter((name) => holdsJson(features[name] ?? {})),
    })),
  );
});
afterAll(() => folder.remove());

test.each(LIBRARIES)("%s reads the records of every target", (library) => {
  expect(files.length).toBeGreaterThanOrEqual(Object.keys(targets).length);
  expect(readings).toHaveLength(files.length);
  for (const [index, { target, kind, records }] of files.entries()) {
    process.stderr.write(`${library}: ${target} ${kind}, ${records.length} records\n`);
    expect(records.length).toBeGreaterThan(10);
    const rows = readings[index]?.rows[library];
    expect([target, kind, findDifference(records, rows)]).toEqual([target, kind, undefined]);
  }
});

test("a column that holds JSON has the type of Parquet for it", () => {
  const schema = readings[files.findIndex(({ target }) => target === "wire")]?.file.schema;
  expect(schema).toMatch(/optional group .*tool_call_sequence \(List\) \{\s+repeated group .*list/);
  expect(schema).toMatch(/optional binary .*element \(JSON\);/);
  expect(schema).toMatch(/optional binary .*prompt \(String\);/);
  expect(schema).toMatch(/optional int64 .*exported_at_ms;/);
});
