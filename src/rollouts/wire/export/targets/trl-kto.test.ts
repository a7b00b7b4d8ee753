import { expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { buildRollout } from "../build-rollout.js";
import { exportRollouts } from "../export-rollouts.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { createPair } from "../testing/create-pair.js";
import { resolveExportOptions } from "./target.js";
import { trlKto } from "./trl-kto.js";

const call = createEvent({ tool_name: "add", args: { a: 2 }, result: 4 });

test("every answer is labelled with the verdict; calls and results are in its prompt", () => {
  const { chosen, rejected } = createPair();
  const branches = [
    { ...chosen, tool_call_sequence: [call] },
    { ...rejected, tool_call_sequence: [] },
  ];
  const { dpo, ppo, sft } = exportRollouts(branches, { target: "trl-kto" });
  expect([dpo, sft]).toEqual([[], []]);
  const task = { role: "user", content: "What is 2+2?" };
  const provenance = {
    source: "wasmagent-rollout",
    rollout_id: "r-1",
    task_hash: "52cb6b5e4a038af1",
  };
  const made = { id: "call_0", type: "function", function: { name: "add", arguments: { a: 2 } } };
  expect(ppo).toEqual([
    {
      prompt: [
        task,
        { role: "assistant", content: "", tool_calls: [made] },
        { role: "tool", content: "4", tool_call_id: "call_0", name: "add" },
      ],
      completion: [{ role: "assistant", content: "four" }],
      label: true,
      provenance,
    },
    {
      prompt: [task],
      completion: [{ role: "assistant", content: "" }],
      label: false,
      provenance,
    },
  ]);
});

test("the tools that the model was offered are part of the record", () => {
  const tools = [{ type: "function" as const, function: { name: "add", parameters: {} } }];
  const { ppo } = exportRollouts([createBranch({ context: { tools } })], { target: "trl-kto" });
  expect(ppo).toMatchObject([{ tools, label: true }]);
});

function build(...branches: RolloutBranchRecord[]) {
  const { records, omitted } = buildRollout(branches, trlKto, resolveExportOptions());
  return { labels: records.ppo.length, omitted };
}

test.each([
  ["unknown-objective", { objective_status: "unknown" as const }],
  ["empty-answer", { turns: [{ role: "user" as const, content: "Hello?" }] }],
  ["empty-answer", { final_answer: "" }],
  [
    "empty-answer",
    {
      turns: [
        { role: "assistant" as const, content: "Let me look." },
        {
          role: "assistant" as const,
          content: "",
          tool_calls: [
            { id: "c", type: "function" as const, function: { name: "f", arguments: {} } },
          ],
        },
        { role: "tool" as const, content: "", tool_call_id: "c" },
      ],
    },
  ],
  [
    "unanswered-call",
    {
      tool_call_sequence: [
        createEvent({ event: "tool_call", data: { toolName: "add", args: {} } }),
      ],
    },
  ],
  [
    "text-arguments",
    {
      final_answer: "",
      tool_call_sequence: [
        createEvent({ event: "tool_call", data: { toolName: "add", args: "{" } }),
      ],
    },
  ],
])("%s: the branch has no record, and a rollout without any is counted", (reason, fields) => {
  const omittedBranch = createBranch(fields);
  expect(build(omittedBranch)).toEqual({ labels: 0, omitted: { ppo: reason } });
  const other = createBranch({ branch_index: 1, rank: 2 });
  expect(build(omittedBranch, other)).toEqual({ labels: 1, omitted: {} });
});

test.each([true, false])("a call at the very end is labelled; passed: %j", (passed) => {
  const finish = createEvent({
    event: "tool_call",
    data: { toolName: "finish", callId: "c1", args: { ok: true }, text: "Done." },
  });
  const branch = createBranch({
    tool_call_sequence: [call, finish],
    final_answer: "",
    objective_score: passed ? 1 : 0,
  });
  const { ppo } = exportRollouts([branch], { target: "trl-kto" });
  const made = { name: "finish", arguments: { ok: true } };
  expect(ppo).toMatchObject([
    {
      prompt: [{ role: "user" }, { role: "assistant" }, { role: "tool" }],
      completion: [
        {
          role: "assistant",
          content: "Done.",
          tool_calls: [{ id: "c1", type: "function", function: made }],
        },
      ],
      label: passed,
    },
  ]);
});
