import { afterEach, beforeEach, expect, test } from "vitest";
import { isNightly, sampleCases } from "../../base/testing/run-count.js";
import { targets } from "../../rollouts/wire/export/targets/index.js";
import { ShardedFolder } from "./testing/sharded-folder.js";

let folder: ShardedFolder;
beforeEach(() => {
  folder = new ShardedFolder();
});
afterEach(() => folder.remove());

test.each(sampleCases([7, 1, 2, 64], 1))(
  "%i shards merged are one export of them, byte for byte",
  async (count) => {
    await folder.prepare(count);
    await folder.exportAndMerge(count);
    await folder.exportAtOnce();
    const files = folder.filesOf("merged");
    expect(Object.keys(files)).toHaveLength(4);
    expect(files).toEqual(folder.filesOf("one"));
  },
);

test.each(sampleCases(Object.keys(targets), 2))("so are those of the target %s", async (target) => {
  await folder.prepare(7);
  await folder.exportAndMerge(7, "--target", target);
  await folder.exportAtOnce("--target", target);
  const files = folder.filesOf("merged");
  expect(Object.keys(files).length).toBeGreaterThan(2);
  expect(files).toEqual(folder.filesOf("one"));
});

test.each([
  [["--store", "parquet"], "parquet"],
  [["--compress", "gzip"], "jsonl.gz"],
  [["--shard-size", "4kB"], "jsonl"],
  [["--shard-size", "4kB", "--store", "parquet"], "parquet"],
])("files of %j stay as they are: the same records in the same order", async (storage, ending) => {
  await folder.prepare(3);
  await folder.exportAndMerge(3, ...storage);
  await folder.exportAtOnce(...storage);
  for (const kind of ["dpo", "ppo"]) {
    const lines = await folder.linesOf("merged", kind);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines).toEqual(await folder.linesOf("one", kind));
  }
  const { outputs, rollouts } = folder.readReport("merged/manifest.json");
  expect(rollouts.exported).toBe(23);
  const shards = [1, 2, 3].flatMap(
    (shard) => folder.readReport(`out/${shard}/manifest.json`).outputs,
  );
  expect(outputs.map(({ sha256 }) => sha256).sort()).toEqual(
    shards.map(({ sha256 }) => sha256).sort(),
  );
  const count = outputs.filter(({ kind }) => kind === "ppo").length;
  expect(outputs.at(-1)?.file).toBe(
    `ppo/train-${String(count - 1).padStart(5, "0")}-of-${String(count).padStart(5, "0")}.${ending}`,
  );
  // A second merge replaces the files of the first.
  const before = folder.filesOf("merged");
  await folder.exportAndMerge(3, ...storage);
  expect(folder.filesOf("merged")).toEqual(before);
});

test.runIf(isNightly)("records do not depend on the number of shards", async () => {
  const all: Record<string, string>[] = [];
  for (const count of [1, 3]) {
    await folder.prepare(count);
    await folder.exportAndMerge(count, "--target", "wire");
    const { "manifest.json": _, ...files } = folder.filesOf("merged");
    all.push(files);
    folder.remove();
    folder = new ShardedFolder();
  }
  expect(Object.keys(all[0] ?? {})).toHaveLength(3);
  // The card counts the inputs.
  expect({ ...all[0], "README.md": "" }).toEqual({ ...all[1], "README.md": "" });
});
