import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRolloutBranchRecord, type RolloutBranch } from "#generated/index.js";
import { toJsonl } from "../../base/json/print.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createCaptured } from "../../rollouts/wire/scoring/testing/create-captured.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

/** A captured branch with additional fields. */
function captured(fields: object): RolloutBranch {
  return { ...createCaptured(), ...fields };
}

function readRanked(): object[] {
  const lines = readFileSync(join(folder.path, "out.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

test("an exported record is named as what it is, in one line", async () => {
  const training = { messages: [], reward: 1, loss_weight_tokens: "default", provenance: {} };
  folder.write("in.jsonl", `${JSON.stringify(training)}\n`);
  const rank = ["rank", "--input", "in.jsonl", "--output", "out.jsonl"];
  for (const argv of [rank, ["export", "--input", "in.jsonl", "--allow-missing-g3"]]) {
    const { exitCode, stdout } = await folder.run(argv);
    expect([exitCode, stdout]).toEqual([
      EXIT.findings,
      "in.jsonl:1:1  (line)  is a PpoTrainingRecord, not a branch: give the branches that it was exported from  (not-a-branch)\n",
    ]);
  }
});

test("branches are scored and ranked within their rollouts, in any input order", async () => {
  const branches = [
    captured({ rollout_id: "a", branch_index: 0, objective_score: 0, judge_score: 8 }),
    captured({ rollout_id: "b", branch_index: 0, build_result: { status: "pass" }, note: [1] }),
    captured({ rollout_id: "a", branch_index: 1, objective_score: 1 }),
  ];
  folder.write("1.jsonl", toJsonl(branches.slice(0, 2)));
  folder.write("2.jsonl", toJsonl(branches.slice(2)));
  const argv = ["rank", "--input", "*.jsonl", "--output", "out.jsonl"];
  expect(await folder.run(argv)).toEqual({
    exitCode: EXIT.ok,
    stdout: "",
    stderr:
      "  validate           3 branches, 0 errors, 0 warnings\n" +
      "  rank               out.jsonl  3 branches, 2 rollouts\n",
  });
  const ranked = readRanked();
  expect(ranked.every(isRolloutBranchRecord)).toBe(true);
  expect(ranked).toMatchObject([
    { rollout_id: "a", branch_index: 1, rank: 1, total_score: 1.15 },
    { rollout_id: "a", branch_index: 0, rank: 2, total_score: 0.24, judge_score: 8 },
    { rollout_id: "b", rank: 1, objective_score: 1, note: [1] },
  ]);
});

test("tool events are copied byte for byte, valid or not", async () => {
  const call = '{ "event": "tool_call", "data": {"toolName":"a","args":{"x":1.0},"callId":"1"} }';
  const events = [`[ ${call} ]`, `[ ${call}, ${call}]`, '[ {"tool_name":"a","args":1.0} ]', "[ ]"];
  const branch = JSON.stringify(captured({ objective_score: 1 }));
  const lines = events.map((list, index) =>
    branch
      .replace('"tool_call_sequence":[]', `"tool_call_sequence":${list}`)
      .replace("r-1", `${index}`),
  );
  folder.write("in.jsonl", `${lines.join("\n")}\n`);
  await folder.run(["rank", "--input", "in.jsonl", "--output", "out.jsonl"]);
  const ranked = readFileSync(join(folder.path, "out.jsonl"), "utf8").trimEnd().split("\n");
  expect(ranked.length).toBe(events.length);
  for (const [index, list] of events.entries()) {
    expect(ranked[index]).toContain(`"tool_call_sequence":${list},`);
  }
});

test.each([
  ["rank", "--output"],
  ["redact", "--output"],
  ["export", "--output-dpo"],
  ["export", "--report"],
])(
  "%s: no output that is plain text is named as if it were compressed, or Parquet",
  async (name, option) => {
    folder.write("in.jsonl", toJsonl([captured({ objective_status: "pass" })]));
    const input = name === "redact" ? ["in.jsonl"] : ["--input", "in.jsonl"];
    for (const ending of [".parquet", ".gz", ".zst"]) {
      const argv = [name, ...input, option, `out${ending}`];
      if (name === "export") argv.push("--allow-missing-g3");
      const { exitCode, stderr } = await folder.run(argv);
      expect([exitCode, stderr]).toEqual([
        EXIT.usage,
        `output out${ending}: plain text is written, so it cannot end in ${ending} (only a dataset folder has other forms: export --output-dir)\n`,
      ]);
    }
    expect(readdirSync(folder.path)).toEqual(["in.jsonl"]);
  },
);

test("weights can be given", async () => {
  folder.write("in.jsonl", toJsonl([captured({ objective_score: 1, judge_score: 10 })]));
  const argv = ["rank", "--input", "in.jsonl", "--output", "out.jsonl"];
  await folder.run([...argv, "--weights", "objective=2,judge=1"]);
  expect(readRanked()).toMatchObject([{ total_score: 3 }]);
  const { exitCode, stderr } = await folder.run([...argv, "--weights", "objective=2"]);
  expect(exitCode).toBe(EXIT.usage);
  expect(stderr).toContain("Write objective=NUMBER,judge=NUMBER");
});

test("a branch without an objective verdict is an error with its position; nothing is written", async () => {
  folder.write(
    "in.jsonl",
    toJsonl([captured({ objective_score: 1 }), captured({ branch_index: 1 })]),
  );
  const argv = ["rank", "--input", "in.jsonl", "--output", "out.jsonl"];
  const { exitCode, stdout } = await folder.run(argv);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toMatch(/^in\.jsonl:2:1 .*\(no-objective\)\n$/);
  expect(existsSync(join(folder.path, "out.jsonl"))).toBe(false);
});

test("export accepts the output of rank", async () => {
  const branches = [1, 0].map((objective_score, branch_index) =>
    captured({ objective_score, branch_index, final_answer: `answer ${branch_index}` }),
  );
  folder.write("in.jsonl", toJsonl(branches));
  await folder.run(["rank", "--input", "in.jsonl", "--output", "out.jsonl"]);
  const { exitCode, stderr } = await folder.run([
    "export",
    "--input",
    "out.jsonl",
    "--allow-missing-g3",
  ]);
  expect(exitCode).toBe(EXIT.ok);
  expect(stderr).toContain("dpo.jsonl  1 pair: 1 after identical turns\n");
});
