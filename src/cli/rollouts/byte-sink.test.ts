import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteSink } from "./byte-sink.js";

test("the lines as UTF-8, one after the other, and their length at any time", () => {
  fc.assert(
    fc.property(fc.nat(50), fc.array(fc.array(fc.string({ unit: "grapheme" }))), (size, lines) => {
      const sink = new ByteSink(new ArrayBuffer(size));
      let length = 0;
      for (const pieces of lines) {
        sink.writeLine(pieces);
        length += Buffer.from(`${pieces.join("")}\n`).length;
        expect(sink.length).toBe(length);
      }
      const bytes = sink.toBytes();
      const expected = lines.map((pieces) => `${pieces.join("")}\n`).join("");
      expect(Buffer.from(bytes).toString("utf8")).toBe(expected);
    }),
  );
});

test("bytes between texts are copied as they are", () => {
  const sink = new ByteSink(new ArrayBuffer(0));
  sink.writeLine(['{"a":', Buffer.from("[ 1.0 ]"), "}"]);
  expect(Buffer.from(sink.toBytes()).toString()).toBe('{"a":[ 1.0 ]}\n');
});
