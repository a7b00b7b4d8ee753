import { expect, test } from "vitest";
import { createBranch } from "../../export/testing/create-branch.js";
import { unpairedToolResult } from "./unpaired-tool-result.js";

const MESSAGE = "a tool result without a call";
const call = (callId?: string) => ({ event: "tool_call", data: { toolName: "find", callId } });
const result = (callId?: string) => ({ event: "tool_result", data: { callId, output: "x" } });

function check(events: readonly object[]): string[] {
  // Passed through JSON, which removes undefined fields.
  const record = JSON.parse(JSON.stringify({ ...createBranch(), tool_call_sequence: events }));
  const faults = unpairedToolResult.check(record, "RolloutBranchRecord");
  expect(faults.every(({ message }) => message === MESSAGE)).toBe(true);
  return faults.map(({ pointer }) => pointer);
}

test("results that answer their calls, in any order, and unanswered calls", () => {
  expect(check([])).toEqual([]);
  expect(check([call("a"), call("b"), result("b"), result("a"), call("c")])).toEqual([]);
  expect(check([call("a"), result("a"), call("a"), result("a")])).toEqual([]);
  expect(check([call(), result()])).toEqual([]);
  expect(check([{ tool_name: "find", args: {}, result: "x" }])).toEqual([]);
});

test("a result before its call, a second result, and one without a call", () => {
  expect(check([result("a"), call("a")])).toEqual(["/tool_call_sequence/0"]);
  expect(check([call("a"), result("a"), result("a")])).toEqual(["/tool_call_sequence/2"]);
  expect(check([{ tool_name: "find", args: {}, result: "x" }, result()])).toEqual([
    "/tool_call_sequence/1",
  ]);
  expect(check([call("a"), result("b")])).toEqual(["/tool_call_sequence/1"]);
});

test("messages of training records", () => {
  const tool_calls = [
    { id: "c", type: "function", function: { name: "find", arguments: {} } },
  ] as const;
  const asking = (id: string) => ({
    role: "assistant",
    content: "",
    tool_calls: tool_calls.map((call) => ({ ...call, id })),
  });
  const messages = [
    { role: "user", content: "Find it." },
    asking("c"),
    { role: "tool", content: "x", tool_call_id: "c" },
    { role: "assistant", content: "Found." },
  ];
  const record = (others: readonly object[]) => ({
    messages: [...messages.slice(0, 3), ...others, ...messages.slice(3)],
    reward: 1,
    loss_weight_tokens: "default",
    provenance: { source: "wasmagent-rollout", rollout_id: "r", task_hash: "0".repeat(16) },
  });
  const check = (others: readonly object[]) =>
    unpairedToolResult.check(record(others), "PpoTrainingRecord");
  expect(check([])).toEqual([]);
  const stray = { role: "tool", content: "y", tool_call_id: "c" };
  expect(check([stray])).toEqual([{ pointer: "/messages/3", message: MESSAGE }]);
  expect(check([{ role: "tool", content: "y" }])).toHaveLength(1);
  const again = [{ ...stray, tool_call_id: "d" }, asking("d"), { ...stray, tool_call_id: "d" }];
  expect(check(again)).toEqual([{ pointer: "/messages/3", message: MESSAGE }]);
});
