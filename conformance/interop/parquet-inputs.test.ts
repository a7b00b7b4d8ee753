import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJsonl } from "../../src/base/json/print.js";
import { packageRoot } from "../../src/base/package.js";
import { createTestFolder, type TestFolder } from "../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../src/base/user-error.js";
import { pythonPath } from "../python-env.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";

interface Written {
  readonly path: string;
  /** Whether every line comes back as it was. */
  readonly exact: boolean;
}

let folder: TestFolder;
let files: readonly Written[] = [];
beforeAll(async () => {
  folder = createTestFolder();
  folder.write("in.jsonl", toJsonl(createRollouts()));
  files = runConsumer<Written[]>("write_parquet", {
    package: pythonPath(packageRoot()),
    path: join(folder.path, "in.jsonl"),
    folder: folder.path,
  });
});
afterAll(() => folder.remove());

async function exportWire(input: string): Promise<readonly unknown[]> {
  const output = `${basename(input)}.ppo`;
  const argv = ["export", "--input", input, "--allow-missing-g3", "--target", "wire"];
  const { exitCode, stdout, stderr } = await folder.run([
    ...[...argv, "--exported-at-ms", "1", "--output-ppo", output],
  ]);
  expect([input, exitCode, stdout, stderr]).toEqual([input, EXIT.ok, stdout, stderr]);
  const lines = readFileSync(join(folder.path, output), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** The records without their tool events, which a struct changes: it has every field, and no null. */
function withoutEvents(records: readonly unknown[]): readonly unknown[] {
  return records.map((record) =>
    JSON.parse(
      JSON.stringify(record, (key, value) => (key === "tool_call_sequence" ? undefined : value)),
    ),
  );
}

test("files of every library give the records of JSONL", async () => {
  const expected = await exportWire("in.jsonl");
  expect(expected.length).toBeGreaterThan(100);
  expect(files.length).toBeGreaterThanOrEqual(7);
  for (const { path, exact } of files) {
    const records = await exportWire(path);
    process.stderr.write(`${basename(path)}: ${records.length} records\n`);
    if (exact) expect(records).toEqual(expected);
    else expect(withoutEvents(records)).toEqual(withoutEvents(expected));
  }
});
