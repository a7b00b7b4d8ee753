import fc from "fast-check";
import { expect, test } from "vitest";
import { runCount } from "../testing/run-count.js";
import { LineWriter } from "./line-writer.js";

function write(run: (writer: LineWriter) => void): string {
  const writer = new LineWriter(4);
  run(writer);
  return Buffer.from(writer.take()).toString();
}

test("text is what JSON.stringify makes of it", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, text, (before, value, after) => {
      const source = Buffer.from(before + value + after);
      const start = Buffer.byteLength(before);
      const end = start + Buffer.byteLength(value);
      expect(write((writer) => writer.string(source, start, end))).toBe(JSON.stringify(value));
    }),
    { numRuns: runCount(10_000) },
  );
  const all = String.fromCharCode(...Array(0x100).keys());
  const bytes = Buffer.from(all);
  expect(write((writer) => writer.string(bytes, 0, bytes.length))).toBe(JSON.stringify(all));
});

test("JSON comes to stand on one line, and what is around it is left alone", () => {
  const source = Buffer.from("\n{\n\r\n}\n");
  expect(write((writer) => writer.json(source, 1, 6))).toBe("{   }");
  expect(source.toString()).toBe("\n{\n\r\n}\n");
});

test("it grows, and begins anew once its bytes are taken", () => {
  const writer = new LineWriter(2);
  writer.ascii("-12.5");
  writer.byte(0x2c);
  writer.bytes(Buffer.from("näh"));
  expect(writer.length).toBe(10);
  const taken = writer.take();
  expect(writer.length).toBe(0);
  writer.ascii("other bytes");
  expect(Buffer.from(taken).toString()).toBe("-12.5,näh");
});
