import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { templateText } from "../../rollouts/wire/decontamination/testing/template-texts.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  folder.write("in.jsonl", lines.join("\n"));
  folder.write("eval.jsonl", items.map((prompt) => JSON.stringify({ prompt })).join("\n"));
});
afterEach(() => folder.remove());

const tasks = Array.from({ length: 10 }, (_, index) => templateText(`task${index}x`));
const lines = tasks.map((task, index) =>
  JSON.stringify(createBranch({ rollout_id: `r-${index}`, task })),
);
const items = [tasks[3] ?? "", templateText("item")];

const INDEX = ["shard", "index", "--eval-items", "eval.jsonl", "--output", "eval.index"];
const EXPORT = ["export", "--input", "in.jsonl", "--target", "wire", "--exported-at-ms", "0"];

test("the index counts the tasks, and an export with it is that with the items", async () => {
  expect(await folder.run([...INDEX, "--input", "in.jsonl"])).toEqual({
    exitCode: EXIT.ok,
    stdout: "",
    stderr: expect.stringContaining(
      "  validate           10 records, 10 rollouts, 0 errors, 0 warnings\n" +
        "  tasks              10 distinct tasks, 13 n-grams of the evaluation set in more than one\n" +
        "  index              eval.index  2 evaluation items, ",
    ),
  });
  const outcomes: unknown[] = [];
  for (const gate of [
    ["--eval-index", "eval.index"],
    ["--eval-items", "eval.jsonl"],
  ]) {
    const argv = [...EXPORT, ...gate, "--drop-contaminated", "--report", "report.json"];
    const { exitCode, stdout, stderr } = await folder.run(argv);
    expect(exitCode).toBe(EXIT.ok);
    const files = ["report.json", "dpo.jsonl", "ppo.jsonl"];
    const texts = files.map((name) => readFileSync(join(folder.path, name), "utf8"));
    outcomes.push([stdout, stderr, texts]);
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
  expect(JSON.stringify(outcomes[0])).toContain('\\"boilerplate_ngrams\\": 13');
  expect(JSON.stringify(outcomes[0])).toContain("1 rollout contaminated, skipped");
});

test("an index without tasks stands for the items, and the export counts the tasks", async () => {
  expect(await folder.run(INDEX)).toEqual({
    exitCode: EXIT.ok,
    stdout: "",
    stderr: expect.stringMatching(/^ {2}index +eval\.index {2}2 evaluation items, 2\.\d kB\n$/),
  });
  const argv = [...EXPORT, "--eval-index", "eval.index", "--drop-contaminated"];
  const { exitCode, stderr } = await folder.run(argv);
  expect([exitCode, stderr]).toEqual([
    EXIT.ok,
    expect.stringContaining("13 n-grams in more than 5 % of 10 distinct tasks"),
  ]);
});

test("the words per n-gram are those of the index", async () => {
  await folder.run([...INDEX, "--n", "4"]);
  const argv = [...EXPORT, "--eval-index", "eval.index", "--drop-contaminated"];
  expect((await folder.run(argv)).stderr).toContain("against 2 evaluation items, n = 4:");
});

describe("invalid rollouts", () => {
  const invalid = JSON.stringify(createBranch({ rollout_id: "r-1", task: "another", rank: 7 }));

  test("are errors, and no index is written", async () => {
    folder.write("in.jsonl", [...lines, invalid, "NaN"].join("\n"));
    const { exitCode, stdout, stderr } = await folder.run([...INDEX, "--input", "in.jsonl"]);
    expect([exitCode, stdout]).toEqual([
      EXIT.findings,
      expect.stringContaining("in.jsonl:12:1  (line)  not JSON"),
    ]);
    expect(stderr).toBe(
      "  validate           12 records, 0 rollouts, 1 error, 0 warnings\n" +
        "  index              nothing written: fix the errors first\n",
    );
    expect(existsSync(join(folder.path, "eval.index"))).toBe(false);
  });

  test("are left out with --skip-invalid, and their tasks are not counted", async () => {
    folder.write("in.jsonl", [...lines, invalid, "NaN"].join("\n"));
    const argv = [...INDEX, "--input", "in.jsonl", "--skip-invalid"];
    const { exitCode, stderr } = await folder.run(argv);
    expect([exitCode, stderr]).toEqual([EXIT.ok, expect.stringContaining("9 distinct tasks,")]);
  });

  test("no rollout at all is an error", async () => {
    folder.write("in.jsonl", "");
    const { exitCode, stdout } = await folder.run([...INDEX, "--input", "in.jsonl"]);
    expect([exitCode, stdout]).toEqual([
      EXIT.findings,
      expect.stringContaining("contains no records: nothing was checked"),
    ]);
  });
});

describe("refused", () => {
  test.each([
    [["shard", "index", "--output", "o"], "'-e, --eval-items <file>' not specified"],
    [[...INDEX, "--n", "0"], "It must be a positive integer."],
    [[...INDEX, "--input", "in.jsonl", "in.jsonl"], "in.jsonl: given twice; name each input once"],
    [[...INDEX.slice(0, -1), "eval.jsonl"], "eval.jsonl"],
  ])("%j", async (argv, message) => {
    const { exitCode, stderr } = await folder.run(argv);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining(message)]);
  });

  test.each([
    ["--eval-items", ["--eval-items", "eval.jsonl"]],
    ["--eval-field", ["--eval-field", "prompt"]],
    ["--n", ["--n", "8"]],
  ])("export --eval-index with %s", async (flag, options) => {
    const argv = [...EXPORT, "--eval-index", "eval.index", ...options];
    expect(await folder.run(argv)).toEqual({
      exitCode: EXIT.usage,
      stdout: "",
      stderr: `${flag} cannot be combined with --eval-index\n`,
    });
  });

  test("export --eval-index of a file that is none", async () => {
    const { exitCode, stderr } = await folder.run([...EXPORT, "--eval-index", "eval.jsonl"]);
    expect([exitCode, stderr]).toEqual([
      EXIT.unreadable,
      "eval.jsonl: no index of evaluation items: create it with shard index\n",
    ]);
  });
});

describe("a shard, whose template text is known only from the tasks of all shards", () => {
  beforeEach(async () => {
    const argv = ["shard", "split", "--input", "in.jsonl", "--shards", "2", "--output", "shards"];
    expect((await folder.run(argv)).exitCode).toBe(EXIT.ok);
  });

  const shard = (...options: string[]) =>
    folder.run([
      ...["export", "--input", "shards", "--shard", "1/2", "--target", "wire"],
      ...options,
      "--drop-contaminated",
    ]);
  const AT = ["--exported-at-ms", "0"];

  test("is exported with an index of all tasks", async () => {
    await folder.run([...INDEX, "--input", "shards"]);
    expect((await shard("--eval-index", "eval.index", ...AT)).exitCode).toBe(EXIT.ok);
  });

  test("is indexed as shard split wrote it: other files in its folder are not read", async () => {
    await folder.run([...INDEX, "--input", "shards"]);
    const before = readFileSync(join(folder.path, "eval.index"));
    folder.write("shards/other.jsonl", "NaN");
    expect((await folder.run([...INDEX, "--input", "shards"])).exitCode).toBe(EXIT.ok);
    expect(readFileSync(join(folder.path, "eval.index")).equals(before)).toBe(true);
  });

  test("is not indexed if it has changed, or is missing", async () => {
    const name = "shards/part-00002-of-00002.jsonl";
    folder.write(name, "");
    const index = async () => await folder.run([...INDEX, "--input", "shards", "--skip-invalid"]);
    const advice = "run shard split again\n";
    expect(await index()).toMatchObject({
      exitCode: EXIT.unreadable,
      stderr: `${name}: has another size since shard split wrote it: remove it, and ${advice}`,
    });
    rmSync(join(folder.path, name));
    expect(await index()).toMatchObject({
      exitCode: EXIT.unreadable,
      stderr: `${name}: is missing since shard split wrote it: ${advice}`,
    });
    expect(existsSync(join(folder.path, "eval.index"))).toBe(false);
  });

  test("is not replaced by the index", async () => {
    const argv = [...INDEX.slice(0, -1), "shards/partition.json", "--input", "shards"];
    expect(await folder.run(argv)).toMatchObject({
      exitCode: EXIT.usage,
      stderr: "output shards/partition.json: is also an input\n",
    });
  });

  test.each([
    [
      "evaluation items",
      undefined,
      ["--eval-items", "eval.jsonl"],
      "--shard requires --eval-index",
    ],
    ["an index without tasks", [], ["--eval-index", "eval.index"], "--shard requires --eval-index"],
    [
      "an index with the tasks of other files",
      ["--input", "in.jsonl"],
      ["--eval-index", "eval.index"],
      "--eval-index: it has counted the tasks of other rollouts than those of this partition",
    ],
  ])("is refused with %s", async (_, index, gate, message) => {
    if (index !== undefined) await folder.run([...INDEX, ...index]);
    const { exitCode, stderr } = await shard(...gate, ...AT);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining(message)]);
    expect(existsSync(join(folder.path, "dpo.jsonl"))).toBe(false);
  });

  test("is refused without a time, which each machine would take from its clock", async () => {
    const { exitCode, stderr } = await shard("--eval-items", "eval.jsonl");
    expect([exitCode, stderr]).toEqual([
      EXIT.usage,
      "--shard requires --exported-at-ms, so that all shards have one time\n",
    ]);
  });

  test("is refused without the key of a redaction, which would be random", async () => {
    const { exitCode, stderr } = await shard("--eval-items", "eval.jsonl", ...AT, "--redact");
    expect([exitCode, stderr]).toEqual([
      EXIT.usage,
      "--shard with --redact requires --redact-key, so that a secret has one placeholder in all shards\n",
    ]);
  });
});
