import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createBranch } from "../export/testing/create-branch.js";
import { BranchReader } from "./branch-reader.js";
import type { RecordLine } from "./reader.js";

const call = '{"event":"tool_call","data":{"toolName":"add","args":{"a":[1.0]},"callId":"1"}}';
const result = '{"event":"tool_result","data":{"toolName":"add","output":"día","callId":"1"}}';

/** The line of a branch with the given tool events. */
function lineOf(events: string): string {
  const mark = "tool events";
  const branch = { ...createBranch(), tool_call_sequence: mark };
  return JSON.stringify(branch).replace(JSON.stringify(mark), events);
}

function read(reader: BranchReader, text: string | Buffer): RecordLine {
  const bytes = Buffer.from(text);
  return reader.read("a.jsonl", { line: 7, offset: 0, stored: bytes, bytes });
}

/** The remembered bytes of a record's tool events, as text. */
function copied(reader: BranchReader, record: RecordLine): string | undefined {
  const events = "value" in record ? record.value.tool_call_sequence : undefined;
  const bytes = typeof events === "object" && events !== null ? reader.bytesOf(events) : undefined;
  return bytes && Buffer.from(bytes).toString("utf8");
}

test("an outline lacks the tool events, whose bytes are remembered", () => {
  const reader = new BranchReader("RolloutBranchRecord", "outline");
  const events = `[ ${call} ,${result}]`;
  const text = lineOf(events);
  const outline = read(reader, text);
  expect(outline).toMatchObject({
    file: "a.jsonl",
    line: 7,
    byteLength: Buffer.byteLength(text),
    text,
    value: createBranch({ tool_call_sequence: [] }),
    followsLineRules: true,
  });
  expect(copied(reader, outline)).toBe(events);
});

test("the outline of a record without tool events is the whole record", () => {
  const reader = new BranchReader("RolloutBranchRecord", "outline");
  const outline = read(reader, '{"a":"día"}');
  expect(outline).toMatchObject({
    text: '{"a":"día"}',
    value: { a: "día" },
    followsLineRules: true,
  });
  expect(copied(reader, outline)).toBeUndefined();
});

const withEvents = "has its tool events, whose bytes are remembered";
test.each(['"turns":[]', '"context":{"tools":[]}'])(`a branch with %s ${withEvents}`, (field) => {
  const reader = new BranchReader("RolloutBranchRecord", "outline");
  const events = `[${call} ,${result}]`;
  const text = lineOf(events).replace("{", `{${field},`);
  const record = read(reader, text);
  expect(record).toMatchObject({
    file: "a.jsonl",
    line: 7,
    byteLength: Buffer.byteLength(text),
    text,
    value: JSON.parse(text),
    followsLineRules: true,
  });
  expect(copied(reader, record)).toBe(events);
});

test.each(['"context":{"messages":[]}', '"context":null', '"steps":[]'])(
  "a branch with %s lacks its tool events",
  (field) => {
    const reader = new BranchReader("RolloutBranchRecord", "outline");
    const record = read(reader, lineOf(`[${call}]`).replace("{", `{${field},`));
    expect(record).toMatchObject({ value: { tool_call_sequence: [] } });
    expect(copied(reader, record)).toBe(`[${call}]`);
  },
);

describe("bytes are also remembered for records that are parsed completely", () => {
  test.each([
    `[${result}]`,
    `[${call},${call}]`,
    `[${call},\t${result}]`,
    '[{"tool_name":"add","args":{}}]',
    '[{"event":"tool_call","data":{"toolName":"add","args":[12345678901234567890],"callId":"1"}}]',
    '{"not":"a list"}',
    "[7]",
  ])("%s", (events) => {
    const reader = new BranchReader("RolloutBranchRecord", "outline");
    const text = lineOf(events);
    const record = read(reader, text);
    expect(record).toMatchObject({ text, value: JSON.parse(text) });
    expect(copied(reader, record)).toBe(events);
  });
});

test("a carriage return is not copied: with universal newlines it would end a line", () => {
  const reader = new BranchReader("RolloutBranchRecord", "outline");
  const text = lineOf(`[${call},\r${result}]`);
  const record = read(reader, text);
  expect(record).toMatchObject({ value: JSON.parse(text) });
  expect(copied(reader, record)).toBeUndefined();
});

test("a line that contains no record is reported as usual", () => {
  const reader = new BranchReader("RolloutBranchRecord", "outline");
  for (const text of ["", "[1]", '{"a":', Buffer.from([0x7b, 0xff, 0x7d])]) {
    expect(read(reader, text)).toHaveProperty("fault");
  }
  const none = reader.read("a", { line: 1, offset: 0, stored: Buffer.alloc(0), bytes: undefined });
  expect(none).toMatchObject({ fault: { id: "json" } });
});

test("a line that exceeds the permanent scan memory", () => {
  const reader = new BranchReader("RolloutBranchRecord", "outline");
  const long = call.replace("[1.0]", `"${"x".repeat(9 * 2 ** 20)}"`);
  const outline = read(reader, lineOf(`[${long},${result}]`));
  expect(outline).toMatchObject({ value: createBranch() });
  expect(copied(reader, outline)?.length).toBe(long.length + result.length + 3);
});

// An outline is validated in place of the record, so its empty list must be as valid as the real tool events.
test("every schema defines tool events the same way, and none requires any", () => {
  const found: unknown[] = [];
  for (const file of readdirSync("schema").filter((name) => name.endsWith(".schema.json"))) {
    JSON.parse(readFileSync(`schema/${file}`, "utf8"), (key, value) => {
      if (key === "tool_call_sequence") found.push(value);
      return value;
    });
  }
  expect(found.length).toBeGreaterThan(2);
  for (const node of found) {
    expect(node).toEqual({
      description: expect.any(String),
      $ref: expect.stringMatching(/#\/\$defs\/ToolCallSequence$/),
    });
  }
});
