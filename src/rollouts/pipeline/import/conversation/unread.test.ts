import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../base/json/value.js";
import { rows as source } from "../forms/rows.js";
import { readRows } from "../testing/read-row.js";

const USER = { role: "user", content: "Which port?" };
const ANSWER = { role: "assistant", content: "8117" };
const CALL = { id: "c", type: "function", function: { name: "read", arguments: '{"file": "a"}' } };

const MAP = "messages=/messages";

/** What becomes of a row: its faults, or what is not read of it. */
function read(row: JsonObject, map = MAP): string[] {
  const [imported] = readRows(source, [row], { texts: { map } });
  if (imported?.kind === "faulty") {
    return imported.faults.map(({ id, pointer, cause }) => `${id} ${pointer}: ${cause}`);
  }
  return imported?.tally?.describeUnread() ?? [];
}

const readTurn = (turn: JsonObject, ...rest: readonly object[]): string[] =>
  read({ messages: [USER, { role: "assistant", ...turn }, ...rest] });

test("what is not read is counted by name, and null and empty values are nothing", () => {
  const nothing = { none: null, empty: "", list: [], object: {} };
  const turn = { ...ANSWER, ...nothing, weight: 0, name: "agent" };
  expect(read({ messages: [USER, turn, { ...turn, foo: 1 }], "a/b": 1 })).toEqual([
    "2 x weight",
    "2 x name",
    "1 x foo",
    "1 x /a~1b",
  ]);
});

test("beside the finish reason of the last turn, its other fields are read", () => {
  expect(readTurn({ content: "8117", finish_reason: "stop" })).toEqual(["1 x finish_reason"]);
});

describe("fields that look like calls are errors", () => {
  test.each<[string, unknown]>([
    ["function_calls", [{ name: "read", arguments: { file: "a" } }]],
    ["toolCalls", [{ toolCallId: "c", toolName: "read", input: { file: "a" } }]],
    ["tool_uses", [{ name: "read", input: {} }]],
    ["action", { name: "read", args: '{"file": "a"}' }],
    ["response_metadata", { tool_calls: [CALL] }],
  ])("%s", (key, value) => {
    const fault = `unread-calls /messages/1/${key}: "${key}" looks like calls, and is not read`;
    expect(readTurn({ content: "", [key]: value })).toEqual([fault]);
    expect(readTurn({ content: "I look.", [key]: value })).toEqual([fault]);
  });

  test("not if the message has them, and not definitions of tools", () => {
    const turn = { content: "", tool_calls: [CALL], additional_kwargs: { tool_calls: [CALL] } };
    expect(readTurn(turn)).toEqual(["1 x additional_kwargs"]);
    // LangChain's are read if the message has none, but others than its own are errors.
    expect(readTurn({ content: "", additional_kwargs: { tool_calls: [CALL] } })).toEqual([]);
    const other = { ...CALL, function: { name: "write", arguments: "{}" } };
    expect(readTurn({ ...turn, additional_kwargs: { tool_calls: [other] } })).toEqual([
      'unread-calls /messages/1/additional_kwargs: "additional_kwargs" looks like calls, and is not read',
    ]);
    const offered = [{ name: "read", description: "Read.", parameters: { type: "object" } }];
    expect(readTurn({ content: "No.", offered })).toEqual(["1 x offered"]);
  });

  test("calls of a system message are not read", () => {
    expect(
      read({ messages: [{ role: "system", content: "x", tool_calls: [CALL] }, USER, ANSWER] }),
    ).toEqual([
      'unread-calls /messages/0/tool_calls: "tool_calls" looks like calls, and is not read',
    ]);
  });
});

describe("text beside an empty content is an error", () => {
  test.each<[string, unknown]>([
    ["text", "8117"],
    ["final_answer", "8117"],
    ["note", "the port is in the configuration"],
    ["raw", { deep: [{ body: "8117" }] }],
  ])("%s", (key, value) => {
    expect(readTurn({ content: null, [key]: value })).toEqual([
      `unread-text /messages/1/${key}: "${key}" looks like text, and is not read`,
    ]);
    expect(readTurn({ content: "8117", [key]: value })).toEqual([`1 x ${key}`]);
  });

  test("labels are no text", () => {
    const labels = { message_id: "m 1", created: "2026-01-01 10:00:00", output_tokens: 3 };
    expect(readTurn({ content: "", ...labels }, ANSWER)).toHaveLength(3);
  });

  test("a message without content names what it has instead", () => {
    expect(readTurn({ text: "8117" })).toContain('required /messages/1: lacks "content"');
    const [imported] = readRows(source, [{ messages: [USER, { role: "user", text: "?" }] }], {
      texts: { map: MAP },
    });
    expect(JSON.stringify(imported)).toContain('lacks \\"content\\"; it has \\"text\\"');
  });
});

describe("fields of a row", () => {
  const row = (fields: JsonObject) => ({ messages: [USER, ANSWER], ...fields });

  test.each(["system", "system_prompt", "systemPrompt", "system-message", "instructions"])(
    "%s that is not mapped is an error",
    (key) => {
      expect(read(row({ [key]: "Be brief." }))).toEqual([
        `unread-system /${key}: looks like a system prompt, and is not read`,
      ]);
      const there = [{ role: "system", content: "Be brief." }, USER, ANSWER];
      expect(read({ messages: there, [key]: "Be brief." })).toEqual([`1 x /${key}`]);
      expect(read(row({ [key]: "Be brief." }), `${MAP},system=/${key}`)).toEqual([]);
    },
  );

  test.each<[string, string, unknown]>([
    ["<image>", "images", ["one.jpg"]],
    ["<image>", "files", [{ path: "one.png" }]],
    ["<|image_pad|>", "picture", { bytes: "AAAA" }],
    ["<video>", "videos", "a.mp4"],
    ["<audio>", "sound", "data:audio/wav;base64,AAAA"],
  ])("pictures and the like beside %s are an error: %s", (mark, key, value) => {
    const asked = { role: "user", content: `${mark}Which animal?` };
    expect(read({ messages: [asked, ANSWER], [key]: value })).toHaveLength(1);
    expect(read({ messages: [asked, ANSWER], [key]: value })[0]).toMatch(`message-part /${key}: `);
    expect(read(row({ [key]: value }))).toEqual([`1 x /${key}`]);
  });

  test("messages are an error if nothing answers, else they are counted", () => {
    const map = "prompt=/prompt,completion=/completion";
    const prompt = [USER];
    expect(read({ prompt, answer: [ANSWER] }, map)).toEqual([
      "unread-messages /answer: looks like messages, and is not read",
    ]);
    expect(read({ prompt, completion: [ANSWER], chosen: [ANSWER] }, map)).toEqual(["1 x /chosen"]);
  });

  test("of an object that is read in part, the rest is counted", () => {
    const metadata = { reward: 1, model: "m", seed: null };
    expect(read(row({ metadata }), `${MAP},reward=/metadata/reward`)).toEqual([
      "1 x /metadata/model",
    ]);
  });
});

test("reasoning of OpenRouter is read, and what is encrypted is counted", () => {
  const details = [{ type: "reasoning.text", text: "Hm." }];
  const turn = { content: "8117", reasoning_details: details };
  const [imported] = readRows(source, [{ messages: [USER, { role: "assistant", ...turn }] }], {
    texts: { map: MAP },
  });
  expect(imported).toMatchObject({ branch: { turns: [{ reasoning_content: "Hm." }] } });
  expect(readTurn({ ...turn, reasoning: "Hm." })).toEqual([]);
  expect(readTurn({ ...turn, reasoning: "Well." })).toEqual(["1 x reasoning_details"]);
  const encrypted = [{ type: "reasoning.encrypted", data: "AAAA" }];
  expect(readTurn({ content: "8117", reasoning_details: encrypted })).toEqual([
    "1 x reasoning_details",
  ]);
});
