import { expect, test } from "vitest";
import { exportRollouts } from "../export-rollouts.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { createPair } from "../testing/create-pair.js";
import { llamaFactory } from "./llama-factory.js";

test("a pair consists of alternating text turns, and an answer of one turn on each side", () => {
  expect(llamaFactory.toDpo(createPair())).toEqual({
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
    provenance: {
      source: "wasmagent-rollout",
      rollout_id: "r-1",
      task_hash: "52cb6b5e4a038af1",
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
        columns: { messages: "messages", chosen: "chosen", rejected: "rejected" },
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
  const { dpo, notPaired } = exportRollouts([marked, createPair().rejected], {
    target: "llama-factory",
  });
  expect([dpo, [...notPaired]]).toEqual([[], [["tool-call-markup", 1]]]);
});
