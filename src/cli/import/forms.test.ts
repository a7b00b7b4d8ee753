import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRolloutBranch } from "#generated/index.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { forms } from "../../rollouts/pipeline/import/forms/index.js";
import { rows } from "../../rollouts/pipeline/import/forms/rows.js";
import { sampleDocument, sampleLines } from "../../rollouts/pipeline/import/recognise.js";
import { findDisagreement } from "../../rollouts/pipeline/import/testing/find-disagreement.js";
import { FORM_CASES } from "../../rollouts/pipeline/import/testing/form-cases.js";

const FIXTURES = fileURLToPath(new URL("../../../fixtures/import/", import.meta.url));

/** Forms that recognise what others do, too. They come after these in the list. */
const GENERAL: readonly string[] = ["trl", rows.id];

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const countLines = (name: string): number =>
  readFileSync(join(folder.path, name), "utf8").split("\n").length - 1;

describe.each(FORM_CASES)("$file", ({ form, file, argv = [], target = "trl", ...expected }) => {
  const path = join(FIXTURES, file);

  test(`is recognised as ${form}, and by no other form but the general ones after it`, () => {
    const bytes = readFileSync(path);
    const sample = file.endsWith(".jsonl")
      ? sampleLines({ line: 1, offset: 0, bytes: Uint8Array.from(bytes) })
      : sampleDocument(bytes);
    const [first, ...others] = forms.filter((each) => each.recognise(sample)).map(({ id }) => id);
    expect(first).toBe(form);
    expect(others.filter((id) => !GENERAL.includes(id))).toEqual([]);
  });

  test("import and export lead to a file for TRL", async () => {
    const imported = await folder.run(["import", path, ...argv, "--output", "in.jsonl"]);
    expect([imported.exitCode, imported.stderr]).toEqual([
      EXIT.ok,
      expect.stringContaining(", 0 errors, "),
    ]);
    expect(imported.stderr).toContain(`  recognised         ${form} (`);
    const branches = readFileSync(join(folder.path, "in.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(branches.every(isRolloutBranch)).toBe(true);
    expect(branches.filter(isRolloutBranch).map(findDisagreement)).toEqual(
      branches.map(() => undefined),
    );
    expect(branches).toHaveLength(expected.branches);
    expect(new Set(branches.filter(isRolloutBranch).map((each) => each.rollout_id)).size).toBe(
      expected.rollouts,
    );
    const runs = [
      ["validate", "in.jsonl"],
      ["export", "--target", target, "in.jsonl", "--allow-missing-g3"],
    ];
    for (const run of runs) expect((await folder.run(run)).exitCode, run.join(" ")).toBe(EXIT.ok);
    expect(countLines(target === "trl" ? "dpo.jsonl" : "sft.jsonl")).toBe(expected.rows);
  });
});

test("a log of Inspect is an archive of samples", async () => {
  const { samples } = JSON.parse(readFileSync(join(FIXTURES, "forms/inspect.json"), "utf8"));
  const entries = [["header.json", "{}"]];
  for (const [index, sample] of samples.entries()) {
    const attached = JSON.stringify(sample).replaceAll(
      /"Its title is Tides\."/g,
      '"attachment://a1"',
    );
    const text = { ...JSON.parse(attached), attachments: { a1: "Its title is Tides." } };
    entries.push([`samples/page-1_epoch_${index + 1}.json`, JSON.stringify(text)]);
  }
  folder.write("entries.json", JSON.stringify(entries));
  const script = `import json, zipfile
with zipfile.ZipFile("log.eval", "w", zipfile.ZIP_DEFLATED) as log:
    for name, text in json.load(open("entries.json")): log.writestr(name, text)`;
  expect(spawnSync("python3", ["-c", script], { cwd: folder.path }).status).toBe(0);
  const argv = ["import", "log.eval", "--pass-value", "C", "--output", "out.jsonl"];
  const { exitCode, stderr } = await folder.run(argv);
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.stringContaining("2 branches, 1 rollout")]);
  const lines = readFileSync(join(folder.path, "out.jsonl"), "utf8").trimEnd().split("\n");
  const branches: unknown[] = lines.map((line) => JSON.parse(line));
  expect(branches).toMatchObject([
    { objective_status: "pass", final_answer: "Its title is Tides." },
    { objective_status: "fail", final_answer: "It has no title." },
  ]);
  // A fault names the entry.
  entries[2]?.splice(1, 1, '{"id": 1, "epoch": 1, "messages": [7]}');
  folder.write("entries.json", JSON.stringify(entries));
  expect(spawnSync("python3", ["-c", script], { cwd: folder.path }).status).toBe(0);
  expect((await folder.run(argv)).stdout).toMatch(
    /^log\.eval\/samples\/page-1_epoch_2\.json:1:\d+ /,
  );
});

test("a folder that has neither rows nor files with telling names: its documents are read", async () => {
  const trace = readFileSync(join(FIXTURES, "forms/langfuse-ai-sdk.json"), "utf8");
  mkdirSync(join(folder.path, "traces"));
  folder.write("traces/a.json", trace);
  folder.write("traces/b.json", trace);
  const argv = ["import", "traces", "--output", "out.jsonl"];
  expect((await folder.run(argv)).stderr).toContain("4 branches");
  const options = ["--assume-passed", "--target", "trl-sft", "--allow-missing-g3"];
  expect((await folder.run(["export", "traces", ...options])).stderr).toContain("4 branches");
  folder.write(
    "traces/c.jsonl",
    '{"messages":[{"role":"user","content":"One?"}],"response":"1"}\n',
  );
  expect((await folder.run(argv)).stderr).toContain("1 branch,");
});

test("a folder of Harbor's jobs: the rewards are those beside the trajectories", async () => {
  const argv = ["import", join(FIXTURES, "forms/harbor"), "--output", "out.jsonl"];
  expect((await folder.run(argv)).exitCode).toBe(EXIT.ok);
  const lines = readFileSync(join(folder.path, "out.jsonl"), "utf8").trimEnd().split("\n");
  const branches: unknown[] = lines.map((line) => JSON.parse(line));
  expect(branches).toMatchObject([
    {
      objective_status: "pass",
      imported_from: { record: { trial: { task_name: "hello", trial_name: "hello__a" } } },
    },
    { objective_status: "fail" },
  ]);
  expect(branches.filter(isRolloutBranch).map(({ rollout_id: id }) => id)).toEqual(
    Array(2).fill(expect.stringMatching(/^atif-/)),
  );
});

describe("a file that is not recognised", () => {
  test.each<[content: string, message: string]>([
    ['{"id": 1, "text": "x"}', 'is an object with the 2 keys "id", "text", in which no list of'],
    ['{"chosen": [], "rejected": []}', "is a pair already"],
    ['{"chosen_messages": [], "rejected_messages": []}', "is a pair already"],
    ["7", "is 7: no record of a log"],
  ])("%s is one error that says what was seen and what to do", async (content, message) => {
    folder.write("x.jsonl", `${content}\n${content}\n`);
    const { exitCode, stdout } = await folder.run(["import", "x.jsonl", "--output", "out.jsonl"]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain(`x.jsonl:1:1  (line)  ${message}`);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  });

  test("does not keep others from being read with --skip invalid, and is counted", async () => {
    folder.write("x.jsonl", '{"text": "x"}\n');
    const file = join(FIXTURES, "messages/trl.jsonl");
    const argv = ["import", "x.jsonl", file, "--skip", "invalid", "--output", "out.jsonl"];
    const { exitCode, stderr } = await folder.run(argv);
    expect(exitCode).toBe(EXIT.ok);
    expect(stderr).toContain("  skipped            1 refused file\n");
    expect(stderr).toContain("5 branches, 2 rollouts\n");
  });

  test("is a branch already", async () => {
    const path = join(FIXTURES, "messages/expected.trl.jsonl");
    const { stdout } = await folder.run(["import", path, "--output", "out.jsonl"]);
    expect(stdout).toContain("is a branch already: rank and export read it as it is");
  });

  test("files of several forms are each read by their own", async () => {
    const files = ["messages/trl.jsonl", "tinker/iteration_000003/train_rollout_summaries.jsonl"];
    const paths = files.map((file) => join(FIXTURES, file));
    const { exitCode, stderr } = await folder.run(["import", ...paths, "-o", "out.jsonl"]);
    expect(exitCode).toBe(EXIT.ok);
    expect(stderr).toMatch(/recognised +trl \(.*\): 1 file\n +recognised +tinker \(.*\): 1 file\n/);
    expect(stderr).toMatch(/^ {2}read +\d+ rows, /m);
  });

  test("a pointer of Git LFS is called so", async () => {
    folder.write("x.jsonl", "version https://git-lfs.example.org/spec/v1\noid sha256:0\n");
    const { exitCode, stdout } = await folder.run(["import", "x.jsonl", "--output", "out.jsonl"]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(
      /^x\.jsonl:1:1 +\(line\) +is a pointer of Git LFS, not the file itself: /,
    );
  });

  test("a document with an empty list of records holds none", async () => {
    folder.write("x.json", '{\n"simulations": [], "tasks": []}\n');
    const { exitCode, stdout } = await folder.run(["import", "x.json", "--output", "out.jsonl"]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toBe("x.json:1:1  (line)  holds no records  (no-records)\n");
  });

  test("a file without any JSON is reported by its lines", async () => {
    folder.write("x.jsonl", '{"messages": [\n');
    const { stdout } = await folder.run(["import", "x.jsonl", "--output", "out.jsonl"]);
    expect(stdout).toMatch(/^x\.jsonl:\d:\d+ {2}\(line\) {2}not JSON: /);
  });
});

describe("what logs lack", () => {
  const row = (id: string, answer: string): string =>
    `${JSON.stringify({
      session_id: id,
      messages: [
        { role: "user", content: "2+2?" },
        { role: "assistant", content: answer },
      ],
    })}\n`;
  const branches = (): Record<string, unknown>[] =>
    readFileSync(join(folder.path, "out.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const importRows = (...argv: string[]) =>
    folder.run(["import", "in.jsonl", "--output", "out.jsonl", ...argv]);
  beforeEach(() => {
    folder.write("in.jsonl", row("a", "4") + row("b", "5"));
  });

  test.each([
    ["lines", '{"id": "a", "reward": 1}\n{"session_id": "b", "score": 0}\n'],
    ["a map", '{"a": true, "b": "0.0"}'],
  ])("--reward-file: rewards as %s", async (_, rewards) => {
    folder.write("rewards.json", rewards);
    expect((await importRows("--reward-file", "rewards.json")).exitCode).toBe(EXIT.ok);
    expect(branches().map((each) => each.objective_status)).toEqual(["pass", "fail"]);
  });

  test("--reward-file: a record without a reward, and a reward without a record, are errors", async () => {
    folder.write("rewards.json", '{"a": 1, "c": 1}');
    const { exitCode, stdout } = await importRows("--reward-file", "rewards.json");
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(/^in\.jsonl:2:1 +\(line\) {2}the reward file has no reward for "b" /m);
    expect(stdout).toMatch(/^rewards\.json:1:1 +\(line\) {2}no record has the id "c" /m);
  });

  test("--assume-passed sets a verdict only where there is none, and counts it", async () => {
    const failed = row("c", "6").replace("{", '{"reward": 0, ');
    folder.write("in.jsonl", row("a", "4") + failed);
    const { stderr } = await importRows("--assume-passed");
    expect(stderr).toContain("  assumed to pass    1 branch without a verdict\n");
    expect(branches().map((each) => each.objective_status)).toEqual(["pass", "fail"]);
    expect(branches()[0]?.scored_by).toEqual({ objective: "assumed" });
  });

  test("--tools gives definitions to branches without any", async () => {
    folder.write("tools.json", '{"tools": [{"name": "add", "parameters": {}}]}');
    const own = row("c", "4").replace("{", '{"tools": [{"name": "sum"}], ');
    folder.write("in.jsonl", row("a", "4") + own);
    expect((await importRows("--tools", "tools.json")).exitCode).toBe(EXIT.ok);
    const names = branches().map(
      (each) => JSON.stringify(each.context).match(/"name":"(\w+)"/)?.[1],
    );
    expect(names).toEqual(["add", "sum"]);
    folder.write("tools.json", "{}");
    const { exitCode, stderr } = await importRows("--tools", "tools.json");
    expect([exitCode, stderr]).toEqual([
      EXIT.unreadable,
      "--tools tools.json: must be a JSON list of tool definitions\n",
    ]);
  });
});
