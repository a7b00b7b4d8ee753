import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, test } from "vitest";
import { shapes } from "#generated/shapes.js";
import { findShape } from "./print-rows.js";
import { readLines } from "./testing/read-lines.js";

/** The fields by which a file is known to hold ranked branches. */
const BRANCH = shapes.RolloutBranchRecord.required ?? [];

/** A column: its elements, of which the first has its name, and its value in the one row. */
type Column = readonly [value: unknown, ...elements: Partial<SchemaElement>[]];

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
const JSON_TEXT = { type: "BYTE_ARRAY", converted_type: "JSON" } as const;
const DOUBLE = { type: "DOUBLE" } as const;
const LIST = [
  { num_children: 1, converted_type: "LIST" },
  { repetition_type: "REPEATED", num_children: 1, name: "list" },
] as const;

/** The line of one row. Names of inner elements are `element`, if they have none. */
async function printRow(columns: Readonly<Record<string, Column>>): Promise<string> {
  const schema = Object.entries(columns).flatMap(([name, [, ...elements]]) =>
    elements.map((element, depth) => ({
      repetition_type: "OPTIONAL" as const,
      name: depth === 0 ? name : "element",
      ...element,
    })),
  );
  const columnData = Object.entries(columns).map(([name, [value]]) => ({ name, data: [value] }));
  const root = { name: "root", num_children: columnData.length };
  const file = parquetWriteBuffer({ schema: [root, ...schema], columnData, codec: "UNCOMPRESSED" });
  const [line = ""] = await readLines(new Uint8Array(file));
  return line;
}

/** What the columns are printed as in a file of branches, whose other fields are null. */
async function print(columns: Readonly<Record<string, Column>>): Promise<string> {
  const others = BRANCH.filter((name) => !Object.hasOwn(columns, name));
  const line = await printRow({
    ...Object.fromEntries(others.map((name) => [name, [null, DOUBLE]])),
    ...columns,
  });
  const start = `{${others.map((name) => `"${name}":null`).join(",")}`;
  expect(line.slice(0, start.length)).toBe(start);
  return line.slice(start.length).replace(/^,?/, "{");
}

test("a null stays where the schema names it, or requires the field", async () => {
  const seed = [null, { type: "INT64" }] as const;
  expect(await print({ seed, build_result: [null, JSON_TEXT] })).toBe(
    '{"seed":null,"build_result":null}',
  );
  expect(await print({ task: [null, TEXT] })).toBe('{"task":null}');
});

test("any other null is an absent field, also in structs", async () => {
  expect(await print({ objective_status: [null, TEXT], note: [null, TEXT] })).toBe("{}");
  const event = {
    event: "tool_call",
    channel: null,
    data: { toolName: "f", callId: null },
  };
  const columns = {
    tool_call_sequence: [
      [event, null],
      ...LIST,
      { num_children: 3 },
      { ...TEXT, name: "event" },
      { ...TEXT, name: "channel" },
      { num_children: 2, name: "data" },
      { ...TEXT, name: "toolName" },
      { ...TEXT, name: "callId" },
    ],
  } as const;
  expect(await print(columns)).toBe(
    '{"tool_call_sequence":[{"event":"tool_call","data":{"toolName":"f"}},null]}',
  );
  const turn = { role: "user", content: null, name: null };
  const names = ["role", "content", "name"].map((name) => ({ ...TEXT, name }));
  expect(await print({ turns: [[turn], ...LIST, { num_children: 3 }, ...names] })).toBe(
    '{"turns":[{"role":"user","content":null}]}',
  );
});

test("a field may have any name", async () => {
  const names = ["__proto__", "2", "1", 'a"b', "ä"];
  const columns = Object.fromEntries(names.map((name) => [name, ["x", TEXT] as const]));
  const line = await printRow({ a: [1, DOUBLE], ...columns });
  for (const name of names) expect(line).toContain(`${JSON.stringify(name)}:"x"`);
});

test("numbers have all their digits", async () => {
  const columns = {
    rank: [3n, { type: "INT64" }],
    total_score: [0.1, DOUBLE],
    n: [2n ** 64n - 1n, { type: "INT64", converted_type: "UINT_64" }],
    zero: [-0, DOUBLE],
    single: [0.5, { type: "FLOAT" }],
    flag: [true, { type: "BOOLEAN" }],
    small: [-7, { type: "INT32", converted_type: "INT_8" }],
    price: [3n, { type: "INT64", converted_type: "DECIMAL", scale: 1, precision: 9 }],
  } as const;
  expect(await print(columns)).toBe(
    '{"rank":3,"total_score":0.1,"n":18446744073709551615,"zero":0,"single":0.5,"flag":true,"small":-7,"price":0.3}',
  );
  // No JSON, so that the line is refused: null would be another value.
  expect(await print({ total_score: [Number.NaN, DOUBLE] })).toBe('{"total_score":NaN}');
});

test("dates, times, bytes and UUIDs", async () => {
  const uuid = Uint8Array.from({ length: 16 }, (_, index) => index);
  const columns = {
    at: [new Date(1), { type: "INT64", converted_type: "TIMESTAMP_MILLIS" }],
    day: [new Date(86_400_000), { type: "INT32", converted_type: "DATE" }],
    time: [5, { type: "INT32", converted_type: "TIME_MILLIS" }],
    bytes: [Uint8Array.of(1, 2), { type: "FIXED_LEN_BYTE_ARRAY", type_length: 2 }],
    id: [uuid, { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } }],
    plain: ["täxt", { type: "BYTE_ARRAY" }],
    kind: ["a", { type: "BYTE_ARRAY", converted_type: "ENUM" }],
  } as const;
  expect(await printRow(columns)).toBe(
    '{"at":"1970-01-01T00:00:00.001Z","day":"1970-01-02T00:00:00.000Z","time":5,"bytes":"AQI=","id":"00010203-0405-0607-0809-0a0b0c0d0e0f","plain":"täxt","kind":"a"}',
  );
});

test("JSON is kept as it is, on one line", async () => {
  const text = '{"a":\r\n  1.0,"a":12345678901234567890}';
  const element = { type: "BYTE_ARRAY", logical_type: { type: "JSON" } } as const;
  expect(await print({ context: [Buffer.from(text), element] })).toBe(
    '{"context":{"a":    1.0,"a":12345678901234567890}}',
  );
});

test("text is JSON only where the file says nothing and the schema permits no text", async () => {
  const columns = {
    task: ["[1]", TEXT],
    context: [' {"messages":[]}', TEXT],
    tool_call_sequence: [['{"event":1}'], ...LIST, TEXT],
  } as const;
  expect(await print(columns)).toBe(
    '{"task":"[1]","context": {"messages":[]},"tool_call_sequence":[{"event":1}]}',
  );
  expect(await print({ ...columns, other: [null, JSON_TEXT] })).toBe(
    '{"task":"[1]","context":" {\\"messages\\":[]}","tool_call_sequence":["{\\"event\\":1}"]}',
  );
  expect(await print({ rank: ["{}", TEXT], context: ["none", TEXT] })).toBe(
    '{"rank":"{}","context":"none"}',
  );
});

test("a map is an object, without its nulls", async () => {
  const columns = {
    a: [
      { x: 1.5, y: null, z: 2 },
      { num_children: 1, converted_type: "MAP" },
      { repetition_type: "REPEATED", num_children: 2, name: "key_value" },
      { ...TEXT, repetition_type: "REQUIRED", name: "key" },
      { ...DOUBLE, name: "value" },
    ],
  } as const;
  expect(await printRow(columns)).toBe('{"a":{"x":1.5,"z":2}}');
});

test("the record type is the one that has most of the fields", () => {
  expect(findShape(BRANCH)).toBe(shapes.RolloutBranchRecord);
  expect(findShape(["prompt", "chosen", "rejected", "tool_call_sequence", "provenance"])).toBe(
    shapes.DpoRecord,
  );
  expect(findShape(["messages", "other"])).toEqual({});
});

test("a column of text that is alone has whole lines", async () => {
  expect(await printRow({ a: ['{"a":\n1}', TEXT] })).toBe('{"a": 1}');
  expect(await printRow({ a: [null, TEXT] })).toBe("null");
});
