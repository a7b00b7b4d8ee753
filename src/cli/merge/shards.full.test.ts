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
