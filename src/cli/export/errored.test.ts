import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ExportReport } from "#generated/index.js";
import { toJsonl } from "../../base/json/print.js";
import { sampleCases } from "../../base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { targets } from "../../rollouts/wire/export/targets/index.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { createCaptured } from "../../rollouts/wire/scoring/testing/create-captured.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const failed = { branch_error: { kind: "threw", message: "no key AKIAQYLPMN5HHHFPZ7AB" } };
const best = (rollout_id: string) => createBranch({ rollout_id });
const worse = { branch_index: 1, rank: 2, total_score: 0.15, objective_score: 0 } as const;

/** Two whole rollouts, one with a third branch that failed, and one that only failed. Their lines are scattered. */
const branches = [
  best("a"),
  { ...best("b"), ...worse, final_answer: "b" },
  { ...best("a"), ...worse, branch_index: 2, rank: 3, final_answer: "", ...failed },
  best("b"),
  { ...best("c"), final_answer: "", ...failed },
  { ...best("a"), ...worse, final_answer: "a", branch_error: null },
];

const EXPORT = ["export", "--input", "in.jsonl", "--allow-missing-g3"];
const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
const readReport = (): ExportReport => JSON.parse(read("report.json"));

test.each(sampleCases(Object.keys(targets), 4))(
  "%s: branches of failed runs are skipped, named and kept",
  async (target) => {
    folder.write("in.jsonl", toJsonl(branches));
    const argv = [...EXPORT, "--target", target, "--output-dir", "out", "--report", "report.json"];
    await folder.run(argv);
    expect(readReport()).toMatchObject({ rollouts: { exported: 3, exported_branches: 6 } });
    expect(readReport().rollouts).not.toHaveProperty("errored_branches");
    const skip = ["--skip", "errored", "--rejects", "rejects.jsonl"];
    const { exitCode, stdout, stderr } = await folder.run([...argv, ...skip]);
    expect([exitCode, stdout.match(/^in\.jsonl:\d+/gm)]).toEqual([
      EXIT.ok,
      ["in.jsonl:3", "in.jsonl:5"],
    ]);
    expect(stdout).toContain('the run failed: "threw", "no key AKIA');
    expect(stderr).toContain("6 branches, 2 rollouts, 2 errored branches, 0 errors, 2 warnings");
    expect(readReport()).toMatchObject({
      settings: { skip_invalid: false, skip_errored: true },
      lines: { read: 6, valid: 6, invalid: 0 },
      rollouts: { exported: 2, exported_branches: 4, errored_branches: 2 },
    });
    expect(read("out/README.md")).toContain("branches of failed runs skipped: 2");
    const rejects = read("rejects.jsonl").trimEnd().split("\n");
    expect(rejects.map((line) => JSON.parse(JSON.parse(line).text))).toEqual([
      branches[2],
      branches[4],
    ]);
  },
);

test("other errors stay errors", async () => {
  folder.write("in.jsonl", toJsonl([...branches, { ...best("d"), temperature: -1, ...failed }]));
  const { exitCode, stdout } = await folder.run([...EXPORT, "--skip", "errored"]);
  expect([exitCode, stdout.match(/^in\.jsonl:7.*/gm)]).toEqual([
    EXIT.findings,
    [expect.stringContaining("/temperature")],
  ]);
});

test("with --redact, why a run failed is quoted without secrets", async () => {
  folder.write("in.jsonl", toJsonl(branches));
  const argv = [...EXPORT, "--skip", "errored", "--rejects", "rejects.jsonl", "--redact"];
  const { stdout } = await folder.run(argv);
  expect(stdout).toContain('the run failed: "threw", "no key ');
  expect(stdout + read("rejects.jsonl")).not.toContain("AKIAQYLPMN5HHHFPZ7AB");
});

test("--explain names the branch that is skipped", async () => {
  folder.write("in.jsonl", toJsonl(branches));
  const explain = async (...argv: string[]) =>
    (await folder.run([...EXPORT, "--explain", "a", ...argv])).stdout;
  expect(await explain()).toContain('rollout "a": 3 valid branches');
  const text = await explain("--skip", "errored");
  expect(text).toContain('rollout "a": 2 valid branches');
  expect(text).toMatch(/in\.jsonl:3 {2}\/branch_error {2}the run failed: "threw".* \(errored\)/);
});

test("rank ranks the other branches", async () => {
  const captured = [0, 1, 2].map((branch_index) => ({
    ...createCaptured({ branch_index, objective_score: branch_index === 2 ? 1 : 0 }),
    ...(branch_index === 2 && failed),
  }));
  folder.write("in.jsonl", toJsonl(captured));
  const argv = ["rank", "--input", "in.jsonl", "--output", "out.jsonl", "--skip", "errored"];
  const { exitCode, stderr } = await folder.run(argv);
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.stringContaining("1 errored branch,")]);
  const ranked = read("out.jsonl").trimEnd().split("\n");
  expect(ranked.map((line) => JSON.parse(line).rank)).toEqual([1, 2]);
});

test("shard index counts the tasks that an export compares", async () => {
  folder.write(
    "in.jsonl",
    toJsonl(branches.map((branch) => ({ ...branch, task: branch.rollout_id }))),
  );
  folder.write("eval.txt", "an item");
  const argv = ["shard", "index", "-e", "eval.txt", "-i", "in.jsonl", "-o", "eval.index"];
  expect((await folder.run(argv)).stderr).toContain("3 distinct tasks");
  expect((await folder.run([...argv, "--skip", "errored"])).stderr).toContain("2 distinct tasks");
});
