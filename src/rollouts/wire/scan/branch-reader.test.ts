import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RecordLine } from "../../../base/jsonl/reader.js";
import { createBranch } from "../export/testing/create-branch.js";
import { BranchReader, RULED_FIELDS, UNRULED_FIELDS } from "./branch-reader.js";

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

describe("a whole branch", () => {
  const reader = new BranchReader("RolloutBranchRecord", "whole");

  test("is parsed; rules see no tool events if they are faultless, and nothing is copied", () => {
    const text = lineOf(`[${call},${result}]`);
    const record = read(reader, text);
    expect(record).toMatchObject({ value: JSON.parse(text), validFor: "RolloutBranchRecord" });
    expect("value" in record && record.ruled).toEqual(createBranch({ tool_call_sequence: [] }));
    expect(copied(reader, record)).toBeUndefined();
  });

  test.each<[string, string, string]>([
    ["a result without its call", `[${result}]`, ""],
    ["turns", `[${call},${result}]`, '"turns":[{"role":"assistant","content":"four"}],'],
    ["tools", `[${call},${result}]`, '"context":{"tools":[]},'],
  ])("with %s: rules see its tool events", (_, events, fields) => {
    const text = lineOf(events).replace("{", `{${fields}`);
    const record = read(reader, text);
    expect(record).toMatchObject({ value: JSON.parse(text), validFor: "RolloutBranchRecord" });
    expect("value" in record && record.ruled).toBeUndefined();
  });
});

describe("fields of a branch", () => {
  const fields = RULED_FIELDS;
  const text = lineOf(`[${call}]`);

  test("only these are parsed, unless it is not known of one whether rules read it", () => {
    const keysOf = (record: RecordLine): string[] =>
      Object.keys("value" in record ? record.value : {}).sort();
    const parsed = new Set<string>([...RULED_FIELDS, "tool_call_sequence"]);
    const known = new Set<string>([...parsed, ...UNRULED_FIELDS]);
    const keys = Object.keys(createBranch());
    // A field that is new in the schema is not known.
    const expected = keys.every((key) => known.has(key))
      ? keys.filter((key) => parsed.has(key))
      : keys;
    const reader = new BranchReader("RolloutBranchRecord", { fields, events: "ruled" });
    const record = read(reader, text);
    expect(keysOf(record)).toEqual(expected.sort());
    expect(record).toMatchObject({ validFor: "RolloutBranchRecord" });
    const whole = read(reader, text.replace("{", '{"steps":[],'));
    expect(keysOf(whole)).toEqual([...keys, "steps"].sort());
  });

  test("the tool events are copied or parsed only if that is wanted", () => {
    for (const events of ["copied", "parsed", "ruled"] as const) {
      const reader = new BranchReader("RolloutBranchRecord", { fields, events });
      const record = read(reader, text);
      expect(copied(reader, record)).toBe(events === "copied" ? `[${call}]` : undefined);
      const parsed = events === "parsed" ? [JSON.parse(call)] : [];
      expect(record).toMatchObject({ value: { tool_call_sequence: parsed } });
    }
  });

  test.each([
    ['"task":"', '"task":"\\u00e9 \\"'],
    ['"task":"', '"task":"día 漢🙂 \\\\'],
    ['"rank":1', '"rank":12'],
    ['"total_score":1.15', '"total_score":-0.5'],
  ])("%s is read as JSON.parse does: %s", (from, to) => {
    const changed = text.replace(from, to);
    const record = read(
      new BranchReader("RolloutBranchRecord", { fields, events: "ruled" }),
      changed,
    );
    expect(JSON.parse(changed)).toMatchObject(
      "value" in record ? { ...record.value, tool_call_sequence: expect.anything() } : {},
    );
    expect(record).toMatchObject({ validFor: "RolloutBranchRecord" });
  });

  test("successive lines with equal, longer and shorter texts", () => {
    const reader = new BranchReader("RolloutBranchRecord", { fields, events: "ruled" });
    const tasks = ["one", "one", "two", "three", "one", "three", "o"];
    const values = tasks.map((task) => read(reader, JSON.stringify(createBranch({ task }))));
    expect(values).toMatchObject(tasks.map((task) => ({ value: { task } })));
  });

  test("a foreign field makes a branch doubtful", () => {
    const reader = new BranchReader("RolloutBranchRecord", { fields, events: "ruled" }, ["prompt"]);
    expect(read(reader, text)).toMatchObject({ validFor: "RolloutBranchRecord" });
    const record = read(reader, text.replace("{", '{"prompt":1,'));
    expect(record).toMatchObject({ value: { prompt: 1 }, validFor: undefined });
  });
});

test("text after the end of a document, and bytes that are not UTF-8, are faults", () => {
  const reader = new BranchReader("RolloutBranchRecord", { fields: RULED_FIELDS, events: "ruled" });
  const bytes = Buffer.from(lineOf("[]"));
  const source = { line: 1, offset: 0, stored: bytes, bytes };
  expect(reader.read("a", source)).toHaveProperty("value");
  expect(reader.read("a", { ...source, isStray: true })).toMatchObject({ fault: { id: "json" } });
  bytes[bytes.indexOf("four")] = 0xff;
  expect(reader.read("a", source)).toMatchObject({ fault: { id: "json" } });
});
