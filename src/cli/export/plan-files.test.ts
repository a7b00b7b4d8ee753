import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBranch } from "../../export/testing/create-branch.js";
import { toJsonl } from "../../json/print.js";
import { EXIT } from "../../user-error.js";
import { createTestFolder, type TestFolder, type Transcript } from "../testing/run-in-folder.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  const worse = createBranch({ branch_index: 1, rank: 2, total_score: 0, final_answer: "5" });
  folder.write("in.jsonl", toJsonl([createBranch(), worse]));
});
afterEach(() => folder.remove());

function exportTo(target: string, name: string, ...more: string[]): Promise<Transcript> {
  const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3", "--target", target];
  return folder.run([...argv, "--output-dir", name, ...more]);
}

function filesIn(name: string): string[] {
  return readdirSync(join(folder.path, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replace(`${join(folder.path, name)}/`, ""))
    .toSorted();
}

test("files of an earlier export for another target are removed", async () => {
  const common = ["README.md", "manifest.json"];
  const [dpo, ppo, sft] = ["dpo", "ppo", "sft"].map((kind) => `${kind}/train-00000-of-00001.jsonl`);
  for (const [target, written] of [
    ["llama-factory", [dpo, "dataset_info.json"]],
    ["training", [dpo, ppo]],
    ["trl-sft", [sft]],
  ] as const) {
    expect((await exportTo(target, "data")).exitCode).toBe(EXIT.ok);
    expect(filesIn("data")).toEqual([...common, ...written].toSorted());
  }
});

test.each(["README.md", "dataset_info.json"])(
  "a folder with a %s that export did not write is not modified",
  async (name) => {
    mkdirSync(join(folder.path, "data"));
    writeFileSync(join(folder.path, "data", name), "mine");
    expect(await exportTo("llama-factory", "data")).toMatchObject({
      exitCode: EXIT.usage,
      stderr: `output data: holds a ${name} that export did not write: choose another folder\n`,
    });
    expect(filesIn("data")).toEqual([name]);
  },
);

test("a description does not overwrite an input", async () => {
  expect((await exportTo("llama-factory", "data")).exitCode).toBe(EXIT.ok);
  const argv = ["--input", "data/dataset_info.json"];
  expect((await exportTo("llama-factory", "data", ...argv)).exitCode).toBe(EXIT.usage);
});

test("unused new folders are removed, existing ones stay", async () => {
  mkdirSync(join(folder.path, "a"));
  folder.write("in.jsonl", "NaN\n");
  expect((await exportTo("training", "a/b/c")).exitCode).toBe(EXIT.findings);
  expect(existsSync(join(folder.path, "a"))).toBe(true);
  expect(existsSync(join(folder.path, "a/b"))).toBe(false);
});

test("the same file for two outputs, and files together with a folder, are usage errors", async () => {
  const twice = ["--report", "same", "--skip-invalid", "--rejects", "same"];
  expect((await exportTo("training", "data", ...twice)).exitCode).toBe(EXIT.usage);
  expect((await exportTo("training", "data", "--output-dpo", "x")).exitCode).toBe(EXIT.usage);
  expect(existsSync(join(folder.path, "data"))).toBe(false);
});
