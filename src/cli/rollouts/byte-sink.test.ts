import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteSink } from "./byte-sink.js";

test("the texts as UTF-8, one after the other, and their length at any time", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
      const sink = new ByteSink();
      let length = 0;
      for (const text of texts) {
        sink.write(text);
        length += Buffer.from(text).length;
        expect(sink.length).toBe(length);
      }
      const bytes = sink.toBytes();
      expect(Buffer.from(bytes).equals(Buffer.concat(texts.map((text) => Buffer.from(text))))).toBe(
        true,
      );
      // Its memory can be moved to another thread, and nothing else with it.
      expect(bytes.buffer.byteLength).toBe(length);
    }),
  );
});
