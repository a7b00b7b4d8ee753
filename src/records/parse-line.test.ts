import { expect, test } from "vitest";
import { parseLine } from "./parse-line.js";

test("a JSON object", () => {
  expect(parseLine(Buffer.from('{"a": "día"}'))).toEqual({
    text: '{"a": "día"}',
    value: { a: "día" },
  });
});

test.each<[string, number, string]>([
  ["[]", 1, "must be an object, is an empty array"],
  ["  7", 3, "must be an object, is 7"],
  ["null", 1, "must be an object, is null"],
  ['"x"', 1, 'must be an object, is "x"'],
])("JSON that is no object: %s", (text, column, message) => {
  expect(parseLine(Buffer.from(text))).toEqual({ fault: { id: "type", column, message } });
});

test("not JSON", () => {
  expect(parseLine(Buffer.from('{"a": NaN}'))).toEqual({
    fault: { id: "json", column: 7, message: "not JSON: unexpected NaN" },
  });
});

test.each<[string, number[], number, string]>([
  ["a stray byte", [...Buffer.from('{"á": "'), 0xff, 0x22, 0x7d], 8, "0xff"],
  ["a genuine U+FFFD before it", [...Buffer.from('{"\ufffd": "'), 0xc3, 0x28], 8, "0xc3"],
  ["a sequence cut off", [...Buffer.from('{"a'), 0xe2, 0x82], 4, "0xe2"],
  ["an encoded surrogate", [...Buffer.from('"'), 0xed, 0xa0, 0x80], 2, "0xed"],
])("not UTF-8: %s", (_name, bytes, column, byte) => {
  expect(parseLine(Buffer.from(bytes))).toEqual({
    fault: { id: "json", column, message: `not UTF-8: byte ${byte}` },
  });
});
