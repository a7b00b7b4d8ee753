import { expect, test } from "vitest";
import { toRecordLine } from "./to-record-line.js";

function parse(text: string | undefined) {
  const bytes = text === undefined ? undefined : Buffer.from(text);
  return toRecordLine("a", { line: 3, offset: 7, stored: Buffer.alloc(0), bytes });
}

test("a record with its text, and the length of its line in bytes", () => {
  const text = '{"a": "é"}';
  expect(parse(text)).toEqual({ file: "a", line: 3, byteLength: 11, text, value: { a: "é" } });
});

test("a line that holds none", () => {
  expect(parse("[1]")).toEqual({
    file: "a",
    line: 3,
    byteLength: 3,
    fault: { id: "type", column: 1, message: "must be an object, is an array" },
  });
});

test("a line that nobody can hold", () => {
  expect(parse(undefined)).toEqual({
    file: "a",
    line: 3,
    byteLength: 0,
    fault: {
      id: "json",
      column: 1,
      message: expect.stringMatching(
        /^line of more than [\d,]+ bytes: longer than a string can be$/,
      ),
    },
  });
});
