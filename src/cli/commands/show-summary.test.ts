import { afterAll, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { createCaptured } from "../../rollouts/wire/scoring/testing/create-captured.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const pair = (rollout_id: string) => [
  createBranch({ rollout_id }),
  createBranch({
    rollout_id,
    branch_index: 1,
    rank: 2,
    objective_score: 0,
    total_score: 0.15,
    final_answer: "five",
  }),
];

test("outcomes, verdicts and distributions as bars", async () => {
  const captured = createCaptured({ rollout_id: "c" });
  folder.write("all.jsonl", toJsonl([...pair("a"), ...pair("b"), captured]));
  expect(await folder.run(["show", "--summary", "all.jsonl"])).toEqual({
    exitCode: EXIT.ok,
    stderr: "",
    stdout: `3 rollouts, 5 branches, 2 pairs for trl

rollouts by outcome
  pair        2  ████████████████████████████████████████
  not-ranked  1  ████████████████████  a branch has no rank and score: rank the file first

branches by verdict
  pass          2  ████████████████████████████████████████
  fail          2  ████████████████████████████████████████
  not verified  1  ████████████████████

branches of a rollout: 1 to 2, median 2
  1  1  ████████████████████
  2  2  ████████████████████████████████████████

total score of a branch: 0.15 to 1.15, median 0.15
  0.1 to 0.2  2  ████████████████████████████████████████
  0.2 to 0.3  0
  0.3 to 0.4  0
  0.4 to 0.5  0
  0.5 to 0.6  0
  0.6 to 0.7  0
  0.7 to 0.8  0
  0.8 to 0.9  0
  0.9 to 1    0
  1 to 1.1    0
  1.1 to 1.2  2  ████████████████████████████████████████

assistant turns of a branch: 1 to 1, median 1
  1  5  ████████████████████████████████████████

characters of a branch: 16 to 16, median 16
  16  5  ████████████████████████████████████████

assistant turn in which a pair parts: 1 to 1, median 1
  1  2  ████████████████████████████████████████
`,
  });
});

test("lines that are no branch are counted; a file without any is refused", async () => {
  folder.write("some.jsonl", `${toJsonl(pair("a"))}NaN\n`);
  const { stdout, stderr } = await folder.run(["show", "--summary", "some.jsonl"]);
  expect(stdout).toContain("1 rollout, 2 branches, 1 pair for trl");
  expect(stderr).toContain("1 line is no valid branch, the first is some.jsonl:3");
  folder.write("none.jsonl", "NaN\n");
  const none = await folder.run(["show", "--summary", "none.jsonl"]);
  expect([none.exitCode, none.stdout]).toEqual([EXIT.usage, ""]);
  expect(none.stderr).toContain("no valid branch in 1 file");
});

test("calls by tool, with those that failed", async () => {
  const call = (toolName: string, callId: string) => ({
    event: "tool_call" as const,
    data: { toolName, args: {}, callId },
  });
  const result = (callId: string, data: object) => ({
    event: "tool_result" as const,
    data: { callId, ...data },
  });
  const tool_call_sequence = [
    ...[call("look\u202e", "1"), result("1", { output: "x" })],
    ...[call("open", "2"), result("2", { error: "locked" })],
  ];
  folder.write("tools.jsonl", toJsonl([createBranch({ tool_call_sequence })]));
  expect((await folder.run(["show", "--summary", "tools.jsonl"])).stdout).toContain(`
calls by tool
  open        1  ████████████████████████████████████████  1 failed
  look\\u202e  1  ████████████████████████████████████████
`);
});
