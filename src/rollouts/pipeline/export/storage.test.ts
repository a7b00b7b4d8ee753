import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ExportReport, isExportReport } from "#generated/index.js";
import { toJsonl } from "../../../base/json/print.js";
import { readLines } from "../../../base/parquet/testing/read-lines.js";
import { sampleCases } from "../../../base/testing/run-count.js";
import {
  createTestFolder,
  type TestFolder,
  type Transcript,
} from "../../../base/testing/run-in-folder.js";
import { EXIT } from "../../../base/user-error.js";
import { createBranch } from "../../wire/export/testing/create-branch.js";
import { groupOutputs, isShardName } from "./storage.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  folder.write("in.jsonl", toJsonl(rollouts(30)));
});
afterEach(() => folder.remove());

/** Rollouts of two branches each. */
function rollouts(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const branch = { rollout_id: `r-${index}`, task: `What is ${index}+2?` };
    const worse = { branch_index: 1, rank: 2, total_score: 0, final_answer: "5" };
    return [createBranch(branch), createBranch({ ...branch, ...worse })];
  }).flat();
}

function exportTo(name: string, ...more: string[]): Promise<Transcript> {
  const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--exported-at-ms", "1"];
  return folder.run([...argv, "--output-dir", name, ...more]);
}

/** The files of a dataset folder, except those that describe it. */
function recordsIn(name: string): string[] {
  return readdirSync(join(folder.path, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath !== join(folder.path, name))
    .map((entry) => join(entry.parentPath, entry.name).replace(`${join(folder.path, name)}/`, ""))
    .toSorted();
}

function readBytes(name: string): Buffer {
  return readFileSync(join(folder.path, name));
}

function readManifest(name: string): ExportReport {
  const manifest: unknown = JSON.parse(readBytes(`${name}/manifest.json`).toString());
  if (!isExportReport(manifest)) throw new TypeError(`${name} has no manifest`);
  return manifest;
}

async function readRecords(name: string): Promise<unknown[]> {
  const bytes = readBytes(name);
  if (name.endsWith(".parquet")) return (await readLines(bytes)).map((line) => JSON.parse(line));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** All records of a kind, in the order of the manifest. */
async function readKind(name: string, kind: string): Promise<unknown[]> {
  const files = readManifest(name).outputs.filter((output) => output.kind === kind);
  return (await Promise.all(files.map(({ file }) => readRecords(`${name}/${file}`)))).flat();
}

const FORMS: [name: string, options: string[]][] = [
  ["parquet", ["--store", "parquet"]],
  ["gzip", ["--compress", "gzip"]],
  ["shards", ["--shard-size", "4kB"]],
  ["shards of Parquet", ["--shard-size", "4kB", "--store", "parquet"]],
  ["compressed shards", ["--shard-size", "4kB", "--compress", "gzip"]],
];

describe("every form", () => {
  test.each(sampleCases(FORMS, 3))(
    "%s: the records of JSONL, and the same bytes with any number of threads",
    async (_, options) => {
      expect((await exportTo("plain", "--target", "wire")).exitCode).toBe(EXIT.ok);
      for (const workers of ["1", "3"]) {
        const run = await exportTo(workers, "--target", "wire", ...options, "--workers", workers);
        expect(run.exitCode).toBe(EXIT.ok);
        for (const kind of ["dpo", "ppo"]) {
          const records = await readKind("plain", kind);
          expect(records).toHaveLength(kind === "dpo" ? 30 : 60);
          expect(await readKind(workers, kind)).toEqual(records);
        }
      }
      expect(recordsIn("3")).toEqual(recordsIn("1"));
      for (const file of recordsIn("1")) {
        expect(readBytes(`3/${file}`).equals(readBytes(`1/${file}`))).toBe(true);
      }
      expect(recordsIn("1").length > 2).toBe(options.includes("--shard-size"));
    },
  );
});

test("shards are listed one by one, and the card names them by a pattern", async () => {
  const { stderr } = await exportTo("data", "--shard-size", "4 kB");
  const { outputs, settings } = readManifest("data");
  expect(settings).toMatchObject({ format: "jsonl", shard_bytes: 4000 });
  expect(outputs.map(({ file }) => file)).toEqual(recordsIn("data"));
  const dpo = outputs.filter(({ kind }) => kind === "dpo");
  expect(dpo.length).toBeGreaterThan(2);
  expect(dpo.every(({ bytes }) => bytes <= 4000)).toBe(true);
  expect(dpo.reduce((sum, { records }) => sum + records, 0)).toBe(30);
  const pattern = `dpo/train-*-of-${String(dpo.length).padStart(5, "0")}.jsonl`;
  const card = readBytes("data/README.md").toString();
  expect(card).toContain(`"data_files":[{"split":"train","path":"${pattern}"}]`);
  expect(card).toContain(`- \`dpo\` (\`${pattern}\`): 30 records;`);
  expect(stderr).toMatch(new RegExp(`export +data/dpo \\(${dpo.length} files\\) +30 pairs`));
});

test("an export in another form removes the files of the former one", async () => {
  for (const options of [
    ["--shard-size", "2kB"],
    ["--shard-size", "3kB", "--compress", "gzip"],
    ["--store", "parquet"],
    ["--store", "parquet", "--shard-size", "2kB"],
    [],
    ["--shard-size", "1GB"],
    ["--shard-size", "2kB"],
  ]) {
    expect((await exportTo("data", ...options)).exitCode).toBe(EXIT.ok);
    expect(recordsIn("data")).toEqual(readManifest("data").outputs.map(({ file }) => file));
  }
});

test("a shard that no export wrote is in the way, one of another form is not", async () => {
  mkdirSync(join(folder.path, "data/dpo"), { recursive: true });
  const name = "data/dpo/train-00007-of-00009.parquet";
  writeFileSync(join(folder.path, name), "mine");
  const refused = await exportTo("data", "--store", "parquet", "--shard-size", "4kB");
  expect(refused).toMatchObject({
    exitCode: EXIT.usage,
    stderr: `output ${name}: was not written by an export: move it away, or choose another folder\n`,
  });
  expect((await exportTo("data", "--shard-size", "4kB")).exitCode).toBe(EXIT.ok);
  expect((await exportTo("data", "--store", "parquet")).exitCode).toBe(EXIT.ok);
  expect(readBytes(name).toString()).toBe("mine");
});

test("a shard that has changed since its export is refused", async () => {
  await exportTo("data", "--shard-size", "4kB");
  const [, second = ""] = recordsIn("data");
  writeFileSync(join(folder.path, "data", second), "changed");
  const { exitCode, stderr } = await exportTo("data");
  expect(exitCode).toBe(EXIT.usage);
  expect(stderr).toContain(`output data/${second}: has changed since an export wrote it`);
});

test("LLaMA-Factory is told the folder of several files", async () => {
  await exportTo("data", "--target", "llama-factory", "--shard-size", "4kB");
  const description = JSON.parse(readBytes("data/dataset_info.json").toString());
  expect(description.rollout_wire_dpo.file_name).toBe("dpo");
});

test("records that are built again are split again", async () => {
  // The rollouts come back after all others, so that all of them are built twice.
  const all = rollouts(30);
  const scattered = [
    ...all.filter((_, index) => index % 2 === 0),
    ...all.filter((_, index) => index % 2),
  ];
  await exportTo("contiguous", "--shard-size", "3kB", "--store", "parquet");
  folder.write("in.jsonl", toJsonl(scattered));
  await exportTo("scattered", "--shard-size", "3kB", "--store", "parquet");
  expect(recordsIn("scattered")).toEqual(recordsIn("contiguous"));
  expect(await readKind("scattered", "ppo")).toEqual(await readKind("contiguous", "ppo"));
});

test("what cannot be combined is refused before anything is read", async () => {
  const run = async (...options: string[]): Promise<string> => {
    const argv = ["export", "--input", "missing.jsonl", "--allow-missing-g3"];
    const { exitCode, stderr } = await folder.run([...argv, ...options]);
    expect(exitCode).toBe(EXIT.usage);
    return stderr;
  };
  expect(await run("--store", "parquet")).toContain("--store parquet requires --output-dir");
  expect(await run("--compress", "gzip")).toContain("--compress gzip requires --output-dir");
  expect(await run("--shard-size", "1MB")).toContain("--shard-size requires --output-dir");
  const toFolder = ["--output-dir", "data"];
  expect(await run(...toFolder, "--store", "parquet", "--compress", "gzip")).toContain(
    "--compress is for JSONL: parquet is compressed as it is",
  );
  expect(await run(...toFolder, "--target", "llama-factory", "--compress", "gzip")).toContain(
    "the trainer of the target llama-factory reads no compressed JSONL",
  );
  for (const size of ["0MB", "500", "1TB", "-1MB", "MB", "1e3kB"]) {
    expect(await run(...toFolder, "--shard-size", size)).toContain(
      "It must be a size with its unit",
    );
  }
  expect(existsSync(join(folder.path, "data"))).toBe(false);
});

test("with --store parquet, a failure is told to people, on standard error", async () => {
  const argv = ["export", "--input", "missing.jsonl", "--allow-missing-g3", "--output-dir", "data"];
  expect(await folder.run([...argv, "--store", "parquet"])).toEqual({
    exitCode: EXIT.unreadable,
    stdout: "",
    stderr: "missing.jsonl: no such file\n",
  });
});

test("names of shards", () => {
  for (const ending of ["jsonl", "jsonl.gz", "jsonl.zst", "parquet"]) {
    expect(isShardName(`dpo/train-00000-of-00001.${ending}`)).toBe(true);
  }
  expect(isShardName("dpo/train-00000-of-00001.csv")).toBe(false);
  expect(isShardName("dpo/train-0-of-1.jsonl")).toBe(false);
  expect(isShardName("other/train-00000-of-00001.jsonl")).toBe(false);
  expect(isShardName("dpo/train-100000-of-100001.parquet")).toBe(true);
});

test("files are grouped by kind", () => {
  const file = { records: 2, bytes: 1, sha256: "sha256:0" };
  expect(
    groupOutputs([
      { kind: "dpo", file: "dpo/train-00000-of-00002.parquet", ...file },
      { kind: "dpo", file: "dpo/train-00001-of-00002.parquet", ...file },
      { kind: "ppo", file: "ppo/train-00000-of-00001.parquet", ...file },
    ]),
  ).toEqual([
    { kind: "dpo", records: 4, place: "dpo", pattern: "dpo/train-*-of-00002.parquet" },
    {
      kind: "ppo",
      records: 2,
      place: "ppo/train-00000-of-00001.parquet",
      pattern: "ppo/train-00000-of-00001.parquet",
    },
  ]);
});
