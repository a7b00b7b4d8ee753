import { expect, test } from "vitest";
import { createBranch } from "../../export/testing/create-branch.js";
import { toolEventDialect } from "./tool-event-dialect.js";

const own = [
  { event: "tool_call", channel: "tool", data: { toolName: "search", args: {}, callId: "c1" } },
  { event: "tool_result", channel: "tool", data: { callId: "c1", output: "found" } },
  { event: "tool_result", channel: "tool", data: { toolName: "search", error: "time-out" } },
  { event: "tool_call", channel: "tool", data: {} },
];
const nestedWithName = { event: "tool_call", data: { name: "search", args: {} } };
const flat = { tool_name: "search", args: {}, result: "found" };

function check(events: readonly unknown[]) {
  return toolEventDialect.check(
    { ...createBranch(), tool_call_sequence: events },
    "RolloutBranchRecord",
  );
}

test("the format's own dialect", () => {
  expect(check(own)).toEqual([]);
  expect(check([])).toEqual([]);
});

test.each<[string, unknown, string]>([
  ["nested with name", nestedWithName, "1 nested with name"],
  ["flat", flat, "1 flat"],
  ["flat, with empty data beside it", { ...flat, data: {} }, "1 flat"],
  ["flat, a result without a name", { result: "found" }, "1 flat"],
  ["no dialect at all", { note: "?" }, "1 neither a call nor a result"],
])("%s", (_name, event, counted) => {
  expect(check([event])).toEqual([
    {
      pointer: "/tool_call_sequence/0",
      message: `1 of 1 tool events in another dialect: ${counted}`,
      cause: counted.slice("1 ".length),
    },
  ]);
});

test("one finding per record, at the first such event, with counts", () => {
  expect(check([...own, flat, nestedWithName, flat, { note: "?" }])).toEqual([
    {
      pointer: "/tool_call_sequence/4",
      message:
        "4 of 8 tool events in another dialect: 1 nested with name, 2 flat, 1 neither a call nor a result",
      cause: "nested with name, flat, neither a call nor a result",
    },
  ]);
});

test("a record without tool events", () => {
  expect(toolEventDialect.check({ messages: [] }, "PpoTrainingRecord")).toEqual([]);
});
