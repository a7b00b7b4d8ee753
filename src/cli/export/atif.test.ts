import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRolloutBranch } from "#generated/index.js";
import { isJsonObject } from "../../base/json/value.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const FIXTURES = fileURLToPath(new URL("../../../fixtures/import/", import.meta.url));
const OURS = ["--objective", "/extra/rollout_wire/objective_score>=1"];
const JUDGED = ["--score", "/extra/rollout_wire/judge_score", "--score-range", "0,10"];

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const readLines = (path: string): unknown[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));

/** The branches of a file, without what another import says otherwise. */
const readBranches = (name: string) =>
  readLines(join(folder.path, name))
    .filter(isRolloutBranch)
    .map((branch) => ({ ...branch, imported_from: undefined, scored_by: undefined }));

async function run(...argv: string[]) {
  const { exitCode, stdout, stderr } = await folder.run(argv);
  expect([exitCode, stdout, stderr]).toEqual([EXIT.ok, expect.any(String), expect.any(String)]);
  return stderr;
}

/** Imports a log, exports it as trajectories, and imports these again, from a folder. */
async function travel(log: string, options: readonly string[] = [], back = OURS) {
  await run("import", join(FIXTURES, log), "--output", "first.jsonl", ...options);
  await run("rank", "--input", "first.jsonl", "--output", "ranked.jsonl");
  const gate = ["--allow-missing-g3", "--target", "atif"];
  const summary = await run("export", "ranked.jsonl", ...gate, "--output-dir", "out");
  await run("import", "out", "--output", "second.jsonl", ...back);
  const name = readdirSync(join(folder.path, "out/ppo"));
  const trajectories = name.flatMap((file) => readLines(join(folder.path, "out/ppo", file)));
  return { summary, trajectories: trajectories.filter(isJsonObject) };
}

const REWARD = ["--objective", "/extra/reward>=1"];

test.each<[string, number, string[], string[]]>([
  ["atif/trajectories.jsonl", 5, REWARD, OURS],
  ["atif/jobs", 3, REWARD, OURS],
  ["forms/harbor", 2, [], [...OURS, ...JUDGED]],
])(
  "%s: imported, exported and imported again, the branches are the same",
  async (log, count, options, back) => {
    const { trajectories } = await travel(log, options, back);
    expect(trajectories).toHaveLength(count);
    const first = readBranches("first.jsonl");
    const isFirst = (id: string) => first.findIndex(({ rollout_id }) => rollout_id === id);
    // An export writes the branches of a rollout together.
    const together = first.toSorted((a, b) => isFirst(a.rollout_id) - isFirst(b.rollout_id));
    expect(readBranches("second.jsonl")).toEqual(together);
  },
);

test("branches of another origin keep what was said, their groups and their verdicts", async () => {
  await travel("messages/openhands.jsonl");
  const toHeard = ({
    task,
    turns,
    tool_call_sequence: events,
    ...branch
  }: ReturnType<typeof readBranches>[number]) => [
    ...[task, turns, branch.context, branch.final_answer, branch.objective_status],
    events.map(({ data }) => [data?.toolName, data?.args, data?.output]),
  ];
  const first = readBranches("first.jsonl");
  expect(readBranches("second.jsonl").map(toHeard)).toEqual(first.map(toHeard));
  expect(first.length).toBeGreaterThan(2);
});

test("the trajectories of a file come back, but for what docs/targets.md names", async () => {
  const { trajectories } = await travel("atif/trajectories.jsonl", REWARD);
  const given = readLines(join(FIXTURES, "atif/trajectories.jsonl")).filter(isJsonObject);
  const [first, colour, second, , ...orders] = given.map((each) => ({
    ...each,
    schema_version: "ATIF-v1.7",
    final_metrics: { total_steps: Array.isArray(each.steps) ? each.steps.length : 0 },
    extra: { ...Object(each.extra), rollout_wire: expect.any(Object) },
  }));
  const text = JSON.stringify([first, second, colour, ...orders])
    .replace('{"content":"edited"}', '{"source_call_id":"c3","content":"edited"}')
    .replace(/\[\{"type":"text","text":("The build[^"]*")\}\]/, "$1");
  const expected: unknown = JSON.parse(text, (key, value: unknown) =>
    key === "rollout_wire" ? expect.any(Object) : value,
  );
  expect(trajectories).toEqual(expected);
});

test("a branch with a result that has no call is not exported, and counted", async () => {
  const row = {
    messages: [
      { role: "user", content: "Fix it." },
      { role: "tool", tool_call_id: "c9", content: "4" },
      { role: "assistant", content: "Fixed." },
    ],
    reward: 1,
  };
  folder.write("rows.jsonl", `${JSON.stringify(row)}\n`);
  const gate = ["--allow-missing-g3", "--target", "atif"];
  const summary = await run("export", "rows.jsonl", ...gate, "--output-ppo", "out.jsonl");
  expect(summary).toContain("stray-result");
  expect(readFileSync(join(folder.path, "out.jsonl"), "utf8")).toBe("");
});
