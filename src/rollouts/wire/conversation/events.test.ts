import { describe, expect, test } from "vitest";
import type { Open, ToolEventData } from "#generated/index.js";
import { createEvent } from "../export/testing/create-event.js";
import { readToolEvents } from "./events.js";

const read = (...events: unknown[]) => readToolEvents(events.map(createEvent)).acts;

const CALL = {
  kind: "call",
  ordinal: 0,
  id: "c1",
  name: "search",
  args: { q: "tea" },
  batchId: "b1",
  text: "Looking.",
};
const RESULT = {
  kind: "result",
  callId: "c1",
  name: "search",
  output: "found",
  error: undefined,
  answers: undefined,
};
const BARE_CALL = { ...CALL, id: undefined, batchId: undefined, text: "" };
const BARE_RESULT = { ...RESULT, callId: undefined };

describe("dialects", () => {
  test("nested with toolName", () => {
    const ids = { callId: "c1", toolName: "search" };
    const acts = read(
      {
        event: "tool_call",
        channel: "tool",
        data: { ...ids, args: { q: "tea" }, batchId: "b1", text: "Looking." },
      },
      { event: "tool_result", channel: "tool", data: { ...ids, output: "found" } },
    );
    expect(acts).toMatchObject([CALL, RESULT]);
  });

  test("nested with name", () => {
    const ids = { callId: "c1", name: "search" };
    const acts = read(
      {
        event: "tool_call",
        data: { ...ids, arguments: { q: "tea" }, batchId: "b1", text: "Looking." },
      },
      { event: "tool_result", data: { ...ids, result: "found" } },
    );
    expect(acts).toMatchObject([CALL, RESULT]);
  });

  test.each(["args", "arguments"])("flat with %s: a call, a result, and both at once", (args) => {
    const acts = read(
      { tool_name: "search", [args]: { q: "tea" } },
      { tool_name: "search", result: "found" },
      { tool_name: "search", [args]: { q: "tea" }, result: "found", error: null },
    );
    const second = { ...BARE_CALL, ordinal: 1 };
    expect(acts).toMatchObject([
      BARE_CALL,
      BARE_RESULT,
      second,
      { ...BARE_RESULT, answers: second },
    ]);
  });

  test("flat ids are also read in snake case", () => {
    const [call, result] = read(
      { tool_name: "search", args: { q: "tea" }, call_id: "c1", batch_id: "b1", text: "Looking." },
      { tool_name: "search", result: "found", tool_call_id: "c1" },
    );
    expect([call, result]).toMatchObject([CALL, RESULT]);
  });
});

describe("classification of events", () => {
  const kinds = (event: unknown) => read(event).map(({ kind }) => kind);

  test.each<[string, unknown, string[]]>([
    ["a declared call with nothing else", { event: "tool_call" }, ["call"]],
    ["a declared result with nothing else", { event: "tool_result", data: {} }, ["result"]],
    [
      "a declared call with its output",
      { event: "tool_call", data: { name: "now", output: "noon" } },
      ["call", "result"],
    ],
    [
      "a declared call with empty slots for its result",
      { event: "tool_call", data: { name: "now", output: null, error: null } },
      ["call"],
    ],
    [
      "a declared result that repeats the arguments",
      { event: "tool_result", tool_name: "now", args: {}, result: 1 },
      ["result"],
    ],
    ["a name alone", { tool_name: "now" }, ["call"]],
    ["a null result", { tool_name: "now", args: {}, result: null }, ["call", "result"]],
    ["an error alone", { tool_name: "now", error: "down" }, ["result"]],
    ["a null error alone", { tool_name: "now", error: null }, ["call"]],
    ["null arguments", { tool_name: "now", args: null }, ["call"]],
    ["flat fields beside empty data", { tool_name: "now", args: {}, data: {} }, ["call"]],
  ])("%s", (_, event, expected) => {
    expect(kinds(event)).toEqual(expected);
  });
});

test.each([null, "", false, undefined])("an error of %o counts as absent", (error) => {
  expect(read({ event: "tool_result", data: { output: 1, error } })).toMatchObject([
    { ...BARE_RESULT, name: undefined, output: 1 },
  ]);
});

test("empty ids and names count as absent", () => {
  expect(
    read({ event: "tool_call", data: { callId: "", batchId: "", toolName: "", args: "x" } }),
  ).toMatchObject([{ ...BARE_CALL, name: "", args: "x" }]);
});

const LOGGED: Open<ToolEventData> = { level: "info" };

test("an event that is neither a call nor a result is reported by its index", () => {
  const { acts, unreadable } = readToolEvents([
    {},
    { tool_name: "now" },
    { channel: "log", data: LOGGED },
    { data: { callId: "c1" } },
  ]);
  expect(acts).toHaveLength(1);
  expect(unreadable).toEqual([0, 2, 3]);
});

test("the acts of an event have its index", () => {
  const acts = read({ tool_name: "a", args: {} }, { tool_name: "b", args: {}, result: 1 });
  expect(acts.map(({ kind, event }) => [kind, event])).toEqual([
    ["call", 0],
    ["call", 1],
    ["result", 1],
  ]);
});
