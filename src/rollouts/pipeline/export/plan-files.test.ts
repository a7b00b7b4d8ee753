import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../../../base/files/hash.js";
import { toJsonl } from "../../../base/json/print.js";
import {
  createTestFolder,
  type TestFolder,
  type Transcript,
} from "../../../base/testing/run-in-folder.js";
import { EXIT } from "../../../base/user-error.js";
import { createBranch } from "../../wire/export/testing/create-branch.js";

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

/** Texts of all files, by name. */
function contentsOf(name: string): Record<string, string> {
  return Object.fromEntries(filesIn(name).map((file) => [file, read(`${name}/${file}`)]));
}

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");

function put(name: string, text: string): void {
  mkdirSync(dirname(join(folder.path, name)), { recursive: true });
  writeFileSync(join(folder.path, name), text);
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

describe("what no export wrote is refused by name and stays", () => {
  const shard = "dpo/train-00000-of-00001.jsonl";

  async function refuses(name: string, problem: string): Promise<void> {
    const before = contentsOf("data");
    const { exitCode, stderr } = await exportTo("llama-factory", "data");
    expect([exitCode, stderr]).toEqual([
      EXIT.usage,
      `output data/${name}: ${problem}: move it away, or choose another folder\n`,
    ]);
    expect(contentsOf("data")).toEqual(before);
  }

  test.each(["README.md", "dataset_info.json", "manifest.json", shard])(
    "a %s in a folder without a manifest",
    async (name) => {
      put(`data/${name}`, "{}");
      await refuses(name, "was not written by an export");
    },
  );

  test.each(["README.md", "dataset_info.json", shard])(
    "a %s that the manifest does not list",
    async (name) => {
      expect((await exportTo("llama-factory", "data")).exitCode).toBe(EXIT.ok);
      const manifest = JSON.parse(read("data/manifest.json"));
      for (const list of ["outputs", "descriptions"]) {
        manifest[list] = manifest[list].filter(({ file }: { file: string }) => file !== name);
      }
      put("data/manifest.json", JSON.stringify(manifest));
      await refuses(name, "was not written by an export");
    },
  );

  test.each(["README.md", "dataset_info.json", shard])("a %s that has changed", async (name) => {
    expect((await exportTo("llama-factory", "data")).exitCode).toBe(EXIT.ok);
    put(`data/${name}`, `${read(`data/${name}`)}mine`);
    await refuses(name, "has changed since an export wrote it");
  });

  test("a file of a former export that has changed and would be removed", async () => {
    expect((await exportTo("trl-sft", "data")).exitCode).toBe(EXIT.ok);
    put("data/sft/train-00000-of-00001.jsonl", "mine");
    await refuses("sft/train-00000-of-00001.jsonl", "has changed since an export wrote it");
  });

  test("a folder in the place of a file", async () => {
    mkdirSync(join(folder.path, "data/README.md"), { recursive: true });
    await refuses("README.md", "was not written by an export");
  });
});

test("files of others that are in nobody's way stay", async () => {
  put("data/notes.txt", "mine");
  put("data/sft/train-00000-of-00001.jsonl", "mine");
  for (const target of ["training", "llama-factory"]) {
    expect((await exportTo(target, "data")).exitCode).toBe(EXIT.ok);
    expect([read("data/notes.txt"), read("data/sft/train-00000-of-00001.jsonl")]).toEqual([
      "mine",
      "mine",
    ]);
  }
});

test("a manifest that lists files outside its folder removes none of them", async () => {
  expect((await exportTo("training", "data")).exitCode).toBe(EXIT.ok);
  put("victim", "mine");
  const manifest = JSON.parse(read("data/manifest.json"));
  const file = { file: "../victim", bytes: 4, sha256: sha256("mine") };
  manifest.descriptions.push(file);
  put("data/manifest.json", JSON.stringify(manifest));
  expect((await exportTo("training", "data")).exitCode).toBe(EXIT.ok);
  expect(read("victim")).toBe("mine");
});

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
