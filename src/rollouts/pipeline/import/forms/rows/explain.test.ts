import { expect, test } from "vitest";
import type { JsonObject } from "../../../../../base/json/value.js";
import { SETTINGS } from "../../testing/read-row.js";
import { rows as source } from "../rows.js";

function explain(map: string, rows: readonly JsonObject[]) {
  const texts: Readonly<Record<string, string>> = { map };
  const reader = source.createReader(
    SETTINGS,
    {
      flag: () => false,
      optionalText: (name) => texts[name],
    },
    rows,
  );
  const explainer = reader.createExplainer?.();
  for (const row of rows) explainer?.add(row);
  const { places = [], ...rest } = explainer?.explain() ?? {};
  return {
    ...rest,
    places: places.map(({ from, to, rows: count, example }) => [from, to, count, example]),
  };
}

const MESSAGES = [
  { role: "system", content: "Rhyme." },
  { role: "user", content: "Hi", mood: "good" },
  { role: "assistant", content: "Ho", weight: 1, audio: null, mood: "bad" },
];

test("what goes where, in the order of the map; then what is kept; then what is dropped", () => {
  const row = { messages: MESSAGES, score: 0.7, id: 3, extra: [1], tools: [{ name: "a" }] };
  expect(
    explain("group=/id,messages=/messages,reward=/score,tools=/tools,seed=/seed", [
      row,
      { ...row, messages: JSON.stringify(MESSAGES.slice(1)), extra: undefined },
    ]),
  ).toEqual({
    title: "--map",
    rows: 2,
    branches: 2,
    problems: [],
    places: [
      ["/id", "rollout_id", 2, '"3"'],
      ["/messages", "task", 2, '"Hi"'],
      ["/messages", "context.messages", 1, "1 message: system"],
      ["/messages", "final_answer", 2, '"Ho"'],
      ["/score", "objective_status, judge_score", 2, "0.7: pass"],
      ["/tools", "context.tools", 2, "1 tool: a"],
      ["/seed", "seed", 0, "in no row"],
      ["/extra", "imported_from.record", 2, "an array"],
      ["/messages/*/mood", "(dropped)", 2, '"good"'],
      ["/messages/*/weight", "(dropped)", 2, "1"],
    ],
  });
});

test("a field at its second place, rows grouped by task, and a field that is not read after all", () => {
  const map = "messages=/m,prompt=/p,completion=/c,group=task,session=/s,session=/t";
  const { places } = explain(map, [
    { m: MESSAGES.slice(1), p: "x", t: "t-1" },
    { p: "Hi", c: "Ho" },
  ]);
  expect(places).toEqual([
    ["/m", "task", 1, '"Hi"'],
    ["/m", "final_answer", 1, '"Ho"'],
    ["/p", "task", 1, '"Hi"'],
    ["/c", "final_answer", 1, '"Ho"'],
    ["(task)", "rollout_id", 2, expect.stringMatching(/^"task-/)],
    ["/t", "session_id", 1, '"t-1"'],
    ["/p", "imported_from.record", 1, '"x"'],
    ["/m/*/mood", "(dropped)", 1, '"good"'],
    ["/m/*/weight", "(dropped)", 1, "1"],
  ]);
});

test("nodes with messages: their other fields are dropped with them", () => {
  const nodes = MESSAGES.map((message, index) => ({
    ...{
      parent: index === 0 ? null : index - 1,
      message,
      mask: [true],
      none: [],
      tools: [{ name: "a" }],
    },
  }));
  const { places } = explain("messages=/nodes/*/message,tools=/nodes/0/tools,reward=/rewards/*", [
    { nodes, rewards: { a: 1 }, id: "x" },
  ]);
  expect(places).toEqual([
    ["/nodes/*/message", "task", 1, '"Hi"'],
    ["/nodes/*/message", "context.messages", 1, "1 message: system"],
    ["/nodes/*/message", "final_answer", 1, '"Ho"'],
    ["/nodes/0/tools", "context.tools", 1, "1 tool: a"],
    ["/rewards/*", "objective_status, judge_score", 1, "1: pass"],
    ["(task)", "rollout_id", 1, expect.stringMatching(/^"task-/)],
    ["/id", "imported_from.record", 1, '"x"'],
    ["/nodes/*/message/mood", "(dropped)", 1, '"good"'],
    ["/nodes/*/message/weight", "(dropped)", 1, "1"],
    ["/nodes/*/mask", "(dropped)", 1, "an array"],
    ["/nodes/*/parent", "(dropped)", 1, "0"],
    // Those of the first node are read.
    ["/nodes/*/tools", "(dropped)", 1, "an array"],
  ]);
});

test("rows without a branch are counted by reason, with the first of each", () => {
  const rows = [{ messages: 7 }, { messages: [] }, { messages: "x" }, { messages: 8 }];
  const { branches, problems, places } = explain("messages=/messages", rows);
  expect(branches).toBe(0);
  expect(problems?.map(({ id, rows: count, message }) => [id, count, message])).toEqual([
    ["type", 2, "must be an array of messages, is 7"],
    ["no-text", 1, "no user message with text: no task"],
    ["messages-text", 1, expect.stringContaining("is no JSON text")],
  ]);
  expect(places[0]).toEqual(["/messages", "the conversation", 0, "in no row"]);
});
