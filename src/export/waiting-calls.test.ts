import { expect, test } from "vitest";
import { pairResults } from "./pair-results.js";
import { readToolEvents, type ToolCall, type ToolResult } from "./read-tool-events.js";
import { createEvent } from "./testing/create-event.js";
import { earlier, WaitingCalls } from "./waiting-calls.js";

function createCalls(...names: string[]): ToolCall[] {
  const events = names.map((tool_name) => createEvent({ event: "tool_call", tool_name }));
  return readToolEvents(events).acts.filter((act) => act.kind === "call");
}

function createResult(tool_name?: string): ToolResult {
  const [result] = readToolEvents([createEvent({ event: "tool_result", tool_name })]).acts;
  if (result?.kind !== "result") throw new TypeError("no result");
  return result;
}

test("the earliest call of the result's tool, or of a tool that nobody named", () => {
  const waiting = new WaitingCalls();
  const [a, b, unnamed, b2] = createCalls("a", "b", "", "b");
  for (const call of [a, b, unnamed, b2]) if (call) waiting.add(call);
  expect(waiting.firstAgreeing(createResult("b"))).toBe(b);
  if (b) waiting.take(b);
  expect(waiting.firstAgreeing(createResult("b"))).toBe(unnamed);
  expect(waiting.firstAgreeing(createResult("other"))).toBe(unnamed);
  expect(waiting.firstAgreeing(createResult())).toBe(a);
  expect(waiting.first()).toBe(a);
  if (unnamed) waiting.take(unnamed);
  expect(waiting.firstAgreeing(createResult("other"))).toBeUndefined();
});

test("the earlier of two, or the only one", () => {
  const [a, b] = createCalls("a", "b");
  expect([earlier(a, b), earlier(b, a), earlier(undefined, b), earlier(a, undefined)]).toEqual([
    a,
    a,
    b,
    a,
  ]);
});

test("a hundred thousand calls whose results come in reverse are paired, not waited for", () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `tool-${index}`);
  const calls = names.map((tool_name) => createEvent({ event: "tool_call", tool_name }));
  const results = names
    .toReversed()
    .map((tool_name) => createEvent({ event: "tool_result", tool_name, result: tool_name }));
  const paired = pairResults(readToolEvents([...calls, ...results]).acts);
  const wrong = paired.filter((act) => act.kind === "call" && act.result?.output !== act.call.name);
  expect(wrong).toEqual([]);
});
