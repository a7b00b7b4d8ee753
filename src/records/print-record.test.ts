import { expect, test } from "vitest";
import { plainParser } from "./line-parser.js";
import { printRecord } from "./print-record.js";

test("a record whose texts nobody knows is printed as JSON.stringify prints it", () => {
  const record = { a: 1, b: undefined, "c\n": [{ d: "é" }], e: null };
  expect(printRecord(record, plainParser).join("")).toBe(JSON.stringify(record));
  expect(printRecord({}, plainParser).join("")).toBe("{}");
});

test("a field whose text is known is copied, wherever it stands", () => {
  const value = [1];
  const parser = { textOf: (each: object) => (each === value ? "[ 1.0 ]" : undefined) };
  const print = (record: object): string => printRecord(record, parser).join("");
  expect(print({ value, a: 1 })).toBe('{"value":[ 1.0 ],"a":1}');
  expect(print({ a: 1, value })).toBe('{"a":1,"value":[ 1.0 ]}');
  expect(print({ a: { value }, b: value, c: value })).toBe(
    '{"a":{"value":[1]},"b":[ 1.0 ],"c":[ 1.0 ]}',
  );
});
