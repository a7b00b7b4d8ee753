import { describe, expect, test } from "vitest";
import type { EntryTypeName } from "#generated/index.js";
import { createBranch } from "../../export/testing/create-branch.js";
import { undeclaredTool } from "./undeclared-tool.js";

const event = (toolName: string) => ({ event: "tool_call", data: { toolName } });
const tool = (name: string) => ({ type: "function", function: { name, parameters: {} } });
const says = (...names: readonly string[]) => ({
  role: "assistant",
  content: "",
  tool_calls: names.map((name) => ({
    id: "c1",
    type: "function",
    function: { name, arguments: {} },
  })),
});

function check(record: object, type: EntryTypeName = "RolloutBranch"): string[] {
  const faults = undeclaredTool.check({ ...record }, type);
  return faults.map(({ pointer, message }) => `${pointer}: ${message}`);
}

describe("branches", () => {
  const branch = (fields: object) => ({ ...createBranch(), ...fields });
  const tool_call_sequence = [event("a"), event("b"), event("c"), event("b")];

  test("without declared tools, nothing is looked up", () => {
    expect(check(branch({ tool_call_sequence }))).toEqual([]);
    expect(check(branch({ tool_call_sequence, context: {} }))).toEqual([]);
    expect(check(branch({ tool_call_sequence, tools: [tool("a")] }))).toEqual([]);
  });

  test("one finding per name, at its first call, with the number of calls", () => {
    const context = { tools: [tool("a")] };
    expect(check(branch({ tool_call_sequence, context }), "RolloutBranchRecord")).toEqual([
      '/tool_call_sequence/1: 2 calls of "b", which context.tools does not declare',
      '/tool_call_sequence/2: 1 call of "c", which context.tools does not declare',
    ]);
  });

  test("all dialects are read, and calls without a name are not looked up", () => {
    const context = { tools: [] };
    const events = [
      { tool_name: "a", args: {}, result: 1 },
      { event: "tool_call", data: { name: "a" } },
      { event: "tool_call", data: {} },
      { event: "tool_result", data: { toolName: "b", output: 1 } },
    ];
    expect(check(branch({ tool_call_sequence: events, context }))).toEqual([
      '/tool_call_sequence/0: 2 calls of "a", which context.tools does not declare',
    ]);
  });

  test("a name in turns and in the tool events is reported once", () => {
    const context = { tools: [tool("a")] };
    const turns = [says("a", "b"), { role: "user", content: "On." }, says("b")];
    expect(check(branch({ tool_call_sequence, context, turns }))).toEqual([
      '/turns/0/tool_calls/1: 2 calls of "b", which context.tools does not declare',
      '/tool_call_sequence/2: 1 call of "c", which context.tools does not declare',
    ]);
  });

  test("names such as those of Object.prototype are not declared", () => {
    const events = [event("constructor"), event("__proto__")];
    expect(check(branch({ tool_call_sequence: events, context: { tools: [] } }))).toHaveLength(2);
  });
});

describe("training records", () => {
  const prompt_messages = [{ role: "user", content: "Go." }, says("a", "b")];
  const record = {
    messages: [...prompt_messages, says("b", "d"), { role: "assistant", content: "Done." }],
    loss_weight_tokens: "default",
    provenance: {
      source: "wasmagent-rollout",
      rollout_id: "r-1",
      task_hash: "52cb6b5e4a038af1",
    },
  };
  const dpo = { ...record, prompt_messages, chosen: "Done.", rejected: "" };
  const ppo = { ...record, reward: 1 };

  test.each([
    ["DpoTrainingRecord", dpo],
    ["PpoTrainingRecord", ppo],
  ] as const)("calls in the messages of a %s", (type, base) => {
    expect(check(base, type)).toEqual([]);
    expect(check({ ...base, tools: [tool("a")] }, type)).toEqual([
      '/messages/1/tool_calls/1: 2 calls of "b", which tools does not declare',
      '/messages/2/tool_calls/1: 1 call of "d", which tools does not declare',
    ]);
  });

  test("calls that only the prompt contains", () => {
    const tools = [tool("a"), tool("b"), tool("d")];
    expect(
      check({ ...dpo, tools, prompt_messages: [says("e", "e")] }, "DpoTrainingRecord"),
    ).toEqual(['/prompt_messages/0/tool_calls/0: 2 calls of "e", which tools does not declare']);
  });
});
