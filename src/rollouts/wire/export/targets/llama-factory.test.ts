import { expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { exportRollouts } from "../export-rollouts.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { createPair } from "../testing/create-pair.js";
import { createPreference } from "../testing/create-preference.js";
import { llamaFactory } from "./llama-factory.js";

test("a pair consists of alternating text turns, and an answer of one turn on each side", () => {
  expect(llamaFactory.toPreference(createPreference())).toEqual({
    messages: [
      { role: "user", content: "What is 2+2?" },
      {
        role: "function_call",
        content:
          'Let me see.\n<tool_call>[{"name":"add","arguments":{"a":2,"b":2}},{"name":"add","arguments":{"a":null}}]</tool_call>',
      },
      { role: "observation", content: '{"sum":4}\n</tool_response>\n<tool_response>\n' },
      {
        role: "function_call",
        content: String.raw`[{"name":"add","arguments":{"raw_arguments":"{\"a\": "}}]`,
      },
      { role: "observation", content: "no JSON" },
    ],
    chosen: { role: "assistant", content: "four" },
    rejected: { role: "assistant", content: "" },
    tools: "",
    provenance: {
      source: "wasmagent-rollout",
      rollout_id: "r-1",
      task_hash: "52cb6b5e4a038af1",
      chosen_branch: 0,
      rejected_branch: 1,
      total_score: { chosen: 1.15, rejected: 0.13 },
      divergence_turn: 3,
      common_prompt: "identical",
    },
  });
});

test("dataset_info.json names the file and the columns and roles of its records", () => {
  expect(llamaFactory.describeDataset({ dpo: "pairs.jsonl" })).toEqual({
    name: "dataset_info.json",
    value: {
      rollout_wire_dpo: {
        file_name: "pairs.jsonl",
        formatting: "sharegpt",
        ranking: true,
        columns: { messages: "messages", chosen: "chosen", rejected: "rejected", tools: "tools" },
        tags: {
          role_tag: "role",
          content_tag: "content",
          user_tag: "user",
          assistant_tag: "assistant",
          function_tag: "function_call",
          observation_tag: "observation",
          system_tag: "system",
        },
      },
    },
  });
  expect(llamaFactory.describeDataset({}).value).toEqual({});
});

test("a pair whose text would be parsed as a call is omitted and counted", () => {
  const data = { toolName: "add", args: {}, output: 1, text: "Now <tool_call>." };
  const marked = createBranch({ tool_call_sequence: [createEvent({ event: "tool_call", data })] });
  const { rejected } = createPair();
  const { dpo, notPaired } = exportRollouts(
    [marked, { ...rejected, tool_call_sequence: marked.tool_call_sequence }],
    { target: "llama-factory" },
  );
  expect([dpo, [...notPaired]]).toEqual([[], [["tool-call-markup", 1]]]);
});

const system = { role: "system", content: "Be brief." } as const;
const developer = { role: "developer", content: "Use tools." } as const;
const context = { messages: [system, developer] };

function exportBoth(fields: Partial<RolloutBranchRecord>) {
  const branches = Object.values(createPair()).map((branch) =>
    createBranch({ ...branch, ...fields }),
  );
  return exportRollouts(branches, { target: "llama-factory" });
}

test("a context is one system turn, and tools are JSON text", () => {
  const tools = [{ type: "function" as const, function: { name: "add", parameters: {} } }];
  const { dpo } = exportBoth({ context: { ...context, tools } });
  expect(dpo[0]?.messages[0]).toEqual({ role: "system", content: "Be brief.\n\nUse tools." });
  expect(dpo[0]?.tools).toBe('[{"type":"function","function":{"name":"add","parameters":{}}}]');
});

test("a pair whose sides do not alternate is omitted and counted", () => {
  const user = { role: "user", content: "Hello." } as const;
  const { dpo, notPaired } = exportBoth({ context: { messages: [user] } });
  expect([dpo, [...notPaired]]).toEqual([[], [["turn-order", 1]]]);
  const late = { messages: [user, { role: "assistant", content: "Yes?" } as const, system] };
  expect([...exportBoth({ context: late }).notPaired]).toEqual([["turn-order", 1]]);
});
