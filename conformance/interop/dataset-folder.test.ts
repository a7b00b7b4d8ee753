import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { toJsonl } from "../../src/base/json/print.js";
import { sampleCases } from "../../src/base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../src/base/user-error.js";
import { isTargetId, targets } from "../../src/rollouts/wire/export/targets/index.js";
import { outputKinds } from "../../src/rollouts/wire/export/targets/target.js";
import { createBranch } from "../../src/rollouts/wire/export/testing/create-branch.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";
import { findDifference } from "./testing/find-difference.js";

interface Reading {
  readonly rows: readonly object[];
  readonly configs: Readonly<Record<string, readonly object[]>>;
}

const ids = Object.keys(targets).filter(isTargetId);

let folder: TestFolder;
/** What one process of Python has loaded from the folder of each target. */
let loaded: ReadonlyMap<string, Reading>;
beforeAll(async () => {
  folder = createTestFolder();
  folder.write("rollouts.jsonl", toJsonl(createRollouts()));
  for (const target of ids) await exportTo(target, target);
  const readings = readFolders(...ids);
  loaded = new Map(
    ids.flatMap((target, index) => {
      const reading = readings[index];
      return reading === undefined ? [] : [[target, reading]];
    }),
  );
});
afterAll(() => folder.remove());

async function exportTo(
  name: string,
  target: string,
  { input = "rollouts.jsonl", options = [] }: ExportOptions = {},
): Promise<void> {
  const argv = ["export", "--input", input, "--allow-missing-g3", "--target", target];
  const time = ["--exported-at-ms", "1700000000000"];
  const { exitCode } = await folder.run([...argv, ...time, "--output-dir", name, ...options]);
  expect(exitCode).toBe(EXIT.ok);
}

interface ExportOptions {
  readonly input?: string;
  readonly options?: readonly string[];
}

function readLines(path: string): object[] {
  const lines = readFileSync(join(folder.path, path), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

test.each(ids)("the folder of %s loads by name, and round-trips", (target) => {
  const { rows = [], configs = {} } = loaded.get(target) ?? {};
  const kinds = outputKinds(targets[target]);
  expect(Object.keys(configs)).toEqual(kinds);
  for (const [index, kind] of kinds.entries()) {
    const written = readLines(`${target}/${kind}/train-00000-of-00001.jsonl`);
    process.stderr.write(`datasets: ${target} ${kind}, ${written.length} records\n`);
    expect(written.length).toBeGreaterThan(10);
    expect(findDifference(written, configs[kind])).toBeUndefined();
    if (index === 0) expect(findDifference(written, rows)).toBeUndefined();
  }
  const manifest: unknown = JSON.parse(
    readFileSync(join(folder.path, target, "manifest.json"), "utf8"),
  );
  expect(findErrors("ExportReport", manifest)).toEqual([]);
});

test.each(sampleCases(ids, 2))(
  "in every other form, the folder of %s loads with the rows of JSONL",
  async (target) => {
    const forms = Object.entries(FORMS).filter(
      ([, options]) => target !== "llama-factory" || !options.includes("--compress"),
    );
    for (const [form, options] of forms) await exportTo(`${target}-${form}`, target, { options });
    const [plain, ...others] = readFolders(...forms.map(([form]) => `${target}-${form}`));
    expect(others.length).toBeGreaterThanOrEqual(3);
    for (const [index, { rows, configs }] of others.entries()) {
      const form = forms[index + 1]?.[0];
      process.stderr.write(`datasets: ${target} as ${form}, ${rows.length} rows\n`);
      expect(rows.length).toBeGreaterThan(10);
      expect([form, findDifference(plain.rows, rows)]).toEqual([form, undefined]);
      expect(Object.keys(configs)).toEqual(Object.keys(plain.configs));
      for (const [kind, some] of Object.entries(plain.configs)) {
        expect([form, kind, findDifference(some, configs[kind])]).toEqual([form, kind, undefined]);
      }
    }
  },
);

/** The first one is what the others are compared with. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  plain: [],
  parquet: ["--store", "parquet"],
  shards: ["--shard-size", "40kB"],
  "shards-of-parquet": ["--store", "parquet", "--shard-size", "40kB"],
  gzip: ["--compress", "gzip"],
  // Node before 22.15 has no zstd.
  ...("createZstdCompress" in zlib && { zstd: ["--compress", "zstd", "--shard-size", "40kB"] }),
};

/** Loads dataset folders, given by their names. */
function readFolders(...names: readonly string[]): readonly [Reading, ...Reading[]] {
  const folders = names.map((name) => join(folder.path, name));
  const [first, ...others] = runConsumer<Reading[]>("read_folder", { folders });
  if (first === undefined) throw new TypeError("no folder was read");
  return [first, ...others];
}

test("a kind without records has no file, and the folder loads without it", async () => {
  folder.write("single.jsonl", toJsonl([createBranch({ total_score: 1.3 })]));
  await exportTo("single", "training", { input: "single.jsonl" });
  expect(existsSync(join(folder.path, "single/dpo"))).toBe(false);
  const [{ rows }] = readFolders("single");
  // Without the card, a file with only the value 1 would be read as integers.
  expect(rows).toMatchObject([{ reward: 1 }]);
  expect(readFileSync(join(folder.path, "single/README.md"), "utf8")).toContain(
    '{"name":"reward","dtype":"float64"}',
  );
});
