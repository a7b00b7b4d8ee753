import { expect, test } from "vitest";
import { shapes } from "#generated/shapes.js";
import { findShape, JsonText, printLine, printRow } from "./print-row.js";

const BRANCH = shapes.RolloutBranchRecord;

function print(row: Readonly<Record<string, unknown>>, isUntyped = false): string {
  return printRow(row, BRANCH, isUntyped);
}

test("a null stays where the schema names it, or requires the field", () => {
  expect(print({ seed: null, build_result: null })).toBe('{"seed":null,"build_result":null}');
  expect(print({ task: null, rank: undefined })).toBe('{"task":null,"rank":null}');
});

test("any other null is an absent field, also in structs", () => {
  expect(print({ objective_status: null, context: null, turns: undefined, note: null })).toBe("{}");
  const data = { toolName: "f", args: { a: null, b: 1 }, callId: null, output: null };
  expect(print({ tool_call_sequence: [{ event: "tool_call", channel: null, data }] })).toBe(
    '{"tool_call_sequence":[{"event":"tool_call","data":{"toolName":"f","args":{"b":1}}}]}',
  );
  expect(print({ turns: [{ role: "user", content: null, name: null }] })).toBe(
    '{"turns":[{"role":"user","content":null}]}',
  );
});

test("a null in a list is an item", () => {
  expect(print({ turns: [null], note: [1, null] })).toBe('{"turns":[null],"note":[1,null]}');
});

test("numbers", () => {
  const row = { rank: 3n, total_score: 0.1, branch_index: 0, temperature: -0, n: 2n ** 63n };
  expect(print(row)).toBe(
    '{"rank":3,"total_score":0.1,"branch_index":0,"temperature":0,"n":9223372036854775808}',
  );
  // No JSON, so that the line is refused: null would be another value.
  expect(print({ total_score: Number.NaN })).toBe('{"total_score":NaN}');
});

test("other types", () => {
  const row = {
    at: new Date(0),
    bytes: Uint8Array.of(1, 2),
    flag: true,
    ids: BigInt64Array.of(1n),
  };
  expect(print(row)).toBe('{"at":"1970-01-01T00:00:00.000Z","bytes":"AQI=","flag":true,"ids":[1]}');
});

test("JSON is kept as it is, on one line", () => {
  const text = '{"a":\r\n  1.0,"a":12345678901234567890}';
  expect(print({ context: new JsonText(text) })).toBe(
    '{"context":{"a":    1.0,"a":12345678901234567890}}',
  );
});

test("text is JSON only where the file says nothing and the schema permits no text", () => {
  const row = { task: "[1]", context: '{"messages":[]}', tool_call_sequence: ['{"event":1}'] };
  expect(print(row, true)).toBe(
    '{"task":"[1]","context":{"messages":[]},"tool_call_sequence":[{"event":1}]}',
  );
  expect(print(row)).toBe(
    '{"task":"[1]","context":"{\\"messages\\":[]}","tool_call_sequence":["{\\"event\\":1}"]}',
  );
  expect(print({ rank: "{}", context: "none" }, true)).toBe('{"rank":"{}","context":"none"}');
});

test("the record type is the one that declares most columns", () => {
  const branch = ["rollout_id", "task", "branch_index", "temperature", "session_id"];
  const captured = [...branch, "tool_call_sequence", "final_answer"];
  expect(findShape([...captured, "objective_score", "rank", "total_score"])).toBe(BRANCH);
  expect(findShape(["prompt", "chosen", "rejected", "tool_call_sequence", "provenance"])).toBe(
    shapes.DpoRecord,
  );
  expect(findShape(["messages", "other"])).toEqual({});
});

test("a whole line", () => {
  expect(printLine('{"a":\n1}')).toBe('{"a": 1}');
  expect(printLine(new JsonText("[1]"))).toBe("[1]");
  expect(printLine(null)).toBe("null");
});
