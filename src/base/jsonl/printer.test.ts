import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catchStringLimit, type JsonPiece, RecordPrinter } from "./printer.js";
import type { RecordReader } from "./reader.js";

describe("RecordPrinter", () => {
  const noBytes = { bytesOf: () => undefined };

  function printRecord(record: object, reader: Pick<RecordReader, "bytesOf">): JsonPiece[] {
    return new RecordPrinter(reader).print(record);
  }

  test("a record without remembered bytes is printed as JSON.stringify prints it", () => {
    const record = { a: 1, b: undefined, "c\n": [{ d: "é" }], e: null };
    expect(printRecord(record, noBytes).join("")).toBe(JSON.stringify(record));
    expect(printRecord({}, noBytes).join("")).toBe("{}");
  });

  test("a text shared with the previous record is printed in both", () => {
    const printer = new RecordPrinter(noBytes);
    const records = [
      { a: "x" },
      { a: "y", b: "x" },
      { a: "y", b: "y" },
      { a: "x" },
      { a: 1 },
      { a: "x" },
    ];
    for (const record of records) {
      expect(printer.print(record).join("")).toBe(JSON.stringify(record));
    }
  });

  test("a field with remembered bytes is copied, at any position", () => {
    const value = [1];
    const reader = {
      bytesOf: (each: object) => (each === value ? Buffer.from("[ 1.0 ]") : undefined),
    };
    const print = (record: object): string => printRecord(record, reader).join("");
    expect(print({ value, a: 1 })).toBe('{"value":[ 1.0 ],"a":1}');
    expect(print({ a: 1, value })).toBe('{"a":1,"value":[ 1.0 ]}');
    expect(print({ a: { value }, b: value, c: value })).toBe(
      '{"a":{"value":[1]},"b":[ 1.0 ],"c":[ 1.0 ]}',
    );
  });

  test("any text is printed as JSON.stringify prints it", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom(
          '"',
          "\\",
          "\n",
          "\u0000",
          "\u001f",
          "\u007f",
          "\ud800",
          "\udc00",
          "é",
        ),
      }),
    );
    fc.assert(
      fc.property(text, (value) => {
        expect(printRecord({ value }, noBytes).join("")).toBe(JSON.stringify({ value }));
      }),
    );
  });
});

describe("catchStringLimit", () => {
  test("a result within the limit", () => {
    expect(catchStringLimit(() => "text")).toBe("text");
  });

  test.each([new RangeError("Maximum call stack size exceeded"), new TypeError("a bug")])(
    "%s is thrown",
    (error) => {
      const make = () => {
        throw error;
      };
      expect(() => catchStringLimit(make)).toThrow(error);
    },
  );
});
