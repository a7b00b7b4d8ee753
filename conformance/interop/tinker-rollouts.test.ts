import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isRolloutBranch } from "#generated/index.js";
import { createTestFolder } from "../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../src/base/user-error.js";
import { runConsumer } from "./run-consumer.js";

const folder = createTestFolder();
let written: unknown;
beforeAll(() => {
  written = runConsumer("write_tinker_rollouts", { path: folder.path });
});
afterAll(() => folder.remove());

const importTinker = (...argv: string[]) =>
  folder.run(["import", "tinker", "--output", "out.jsonl", ...argv]);

function readBranches() {
  const lines = readFileSync(join(folder.path, "out.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line): unknown => JSON.parse(line)).filter(isRolloutBranch);
}

test("imports the Tinker Cookbook's output: texts, parts, calls, tools, non-finite numbers", async () => {
  const argv = ["--input", "iteration_*/train_rollout_summaries.jsonl", "--objective", "reward>0"];
  const { exitCode, stdout, stderr } = await importTinker(...argv);
  process.stderr.write(stderr);
  expect(exitCode, stdout).toBe(EXIT.ok);
  expect(stdout).toMatch(/4 numbers that no JSON holds, read as null: .*\(non-finite-number\)\n$/);
  const branches = readBranches();
  expect(branches).toMatchObject([
    {
      rollout_id: "train-5-0",
      task: "Is port 22 of build-7 open?",
      branch_index: 0,
      final_answer: "Yes, it is open.",
      objective_status: "pass",
    },
    {
      branch_index: 1,
      final_answer: "No.\n<tool_call>{</tool_call>",
      objective_status: "fail",
    },
    { branch_index: 2, final_answer: "NaN", objective_status: "unknown" },
  ]);
  expect(branches.map((branch) => branch.tool_call_sequence.map(({ data }) => data))).toEqual([
    [
      {
        toolName: "probe",
        args: { port: 22 },
        callId: "c1",
        batchId: "turn-0",
        text: "I look.",
      },
      { callId: "c1", toolName: "probe", output: "open" },
    ],
    [
      { toolName: "probe", args: '{"port": ', callId: "call_0", batchId: "turn-0" },
      { callId: "call_0", toolName: "probe", output: "no JSON" },
    ],
    [],
  ]);
  const probe = { name: "probe", description: "Probes.", parameters: {} };
  for (const { context } of branches) {
    expect(context).toEqual({
      messages: [{ role: "system", content: "Be brief." }],
      tools: [{ type: "function", function: probe }],
    });
  }
  expect(branches[0]?.turns?.at(-1)).toEqual({
    role: "assistant",
    content: "Yes, it is open.",
    reasoning_content: "It said open.",
  });
});

test("its evaluations are recognised by name", async () => {
  expect(written).toEqual({ evaluations: [["ports"]] });
  const { exitCode, stdout } = await importTinker("--input", ".");
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toMatch(
    /^iteration_000005\/eval_ports_rollout_summaries\.jsonl:1:1 .*eval-rollouts/,
  );
});

test("rows without a trace, as it writes today, are skipped and counted", async () => {
  const input = "iteration_000005/untraced_rollout_summaries.jsonl";
  const { exitCode, stderr } = await importTinker("--input", input);
  expect(exitCode).toBe(EXIT.findings);
  expect(stderr).toContain("skipped            3 no-text\n");
});
