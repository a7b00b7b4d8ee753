import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteSink } from "./byte-sink.js";

test("the lines as UTF-8, one after the other, and their length at any time", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: "grapheme" }))), (lines) => {
      const sink = new ByteSink();
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
