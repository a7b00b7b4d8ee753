import fc from "fast-check";
import { expect, test } from "vitest";
import { isToolCallSequence } from "#generated/index.js";
import { oddObject } from "../../base/testing/odd-value.js";
import { readToolEvents } from "../wire/conversation/events.js";
import { createRecorder, type RecordedCall } from "./recorder.js";

test("events in the format's own dialect, in order", () => {
  const { recorder, events } = createRecorder();
  const callId = recorder.toolCall({
    toolName: "read",
    args: { path: "a.ts" },
    batchId: "b",
    text: "Let me look.",
  });
  recorder.toolResult({ callId, toolName: "read", output: "text" });
  recorder.toolCall({ toolName: "write", callId: "mine" });
  recorder.toolResult({ callId: "mine", error: new Error("full disk") });
  expect(events()).toStrictEqual([
    {
      event: "tool_call",
      channel: "tool",
      data: {
        toolName: "read",
        args: { path: "a.ts" },
        callId: "call_0",
        batchId: "b",
        text: "Let me look.",
      },
    },
    {
      event: "tool_result",
      channel: "tool",
      data: { callId: "call_0", toolName: "read", output: "text" },
    },
    { event: "tool_call", channel: "tool", data: { toolName: "write", callId: "mine" } },
    {
      event: "tool_result",
      channel: "tool",
      data: { callId: "mine", error: { name: "Error", message: "full disk" } },
    },
  ]);
});

test("later mutation of arguments or of the list changes nothing", () => {
  const { recorder, events } = createRecorder();
  const args = { path: "a", lines: [1] };
  recorder.toolCall({ toolName: "read", args });
  args.lines.push(2);
  args.path = "b";
  events().pop();
  expect(events()[0]?.data?.args).toEqual({ path: "a", lines: [1] });
});

test("after the end nothing is recorded, but calls still get an id", () => {
  const { recorder, events, end } = createRecorder();
  recorder.toolCall({ toolName: "a" });
  end();
  expect(recorder.toolCall({ toolName: "b" })).toBe("call_1");
  recorder.toolResult({ callId: "call_0", output: 1 });
  expect(events()).toHaveLength(1);
});

test("an end from within a getter counts", () => {
  const { recorder, events, end } = createRecorder();
  recorder.toolCall({
    toolName: "a",
    get args() {
      return end();
    },
  });
  expect(events()).toEqual([]);
});

test("ids are unique", () => {
  const { recorder } = createRecorder();
  const ids = ["call_1", undefined, "call_0", undefined, ""].map((callId) =>
    recorder.toolCall({ toolName: "a", callId }),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.slice(0, 3)).toEqual(["call_1", "call_2", "call_0"]);
});

test("its methods do not need `this`, and cannot be replaced", () => {
  const { recorder, events } = createRecorder();
  const { toolCall, toolResult } = recorder;
  toolResult({ callId: toolCall({ toolName: "a" }), output: null });
  expect(events()[1]?.data).toEqual({ callId: "call_0", output: null });
  expect(Object.isFrozen(recorder)).toBe(true);
});

test("it never throws, and its events are always valid", () => {
  const call = oddObject("toolName", "args", "callId", "batchId", "text");
  const result = oddObject("callId", "toolName", "output", "error");
  fc.assert(
    fc.property(fc.array(call), fc.array(result), (calls, results) => {
      const { recorder, events } = createRecorder();
      for (const each of calls) {
        // As from JavaScript.
        expect(Reflect.apply(recorder.toolCall, undefined, [each()])).toEqual(expect.any(String));
      }
      for (const each of results) Reflect.apply(recorder.toolResult, undefined, [each()]);
      const recorded = events();
      expect(recorded).toHaveLength(calls.length + results.length);
      expect(isToolCallSequence(recorded)).toBe(true);
      expect(readToolEvents(recorded).unreadable).toEqual([]);
    }),
  );
});

test("a getter that throws loses no event", () => {
  const { recorder, events } = createRecorder();
  recorder.toolCall({
    toolName: "a",
    get args(): unknown {
      throw new Error("no");
    },
  });
  expect(events()[0]?.data).toEqual({ toolName: "a", args: "[unreadable]", callId: "call_0" });
});

test("the events of one branch share a budget", () => {
  const { recorder, events, omitted } = createRecorder({ values: 100, characters: 20 });
  const call: RecordedCall = { toolName: "a", args: "0123456789", callId: "c" };
  recorder.toolCall(call);
  recorder.toolCall(call);
  expect(events().map(({ data }) => data?.args)).toEqual(["0123456789", "012345[cut]"]);
  expect(omitted()).toBe(0);
  expect(recorder.toolCall({ toolName: "a" })).toBe("call_1");
  recorder.toolResult({});
  expect([events().length, omitted()]).toEqual([2, 2]);
});

test("events without content use up the budget too", () => {
  const { recorder, events, omitted } = createRecorder({ values: 3, characters: 100 });
  for (let count = 0; count < 10; count += 1) recorder.toolResult({});
  expect([events().length, omitted()]).toEqual([3, 7]);
});
