import fc from "fast-check";
import { expect, test } from "vitest";
import { blockLines } from "./block-lines.js";

function linesOf(text: string, start = { line: 1, offset: 0 }, maxLineBytes?: number) {
  const bytes = Uint8Array.from(Buffer.from(text));
  return [...blockLines({ ...start, bytes }, maxLineBytes)].map((each) => ({
    line: each.line,
    offset: each.offset,
    stored: each.stored.toString(),
    text: each.bytes?.toString(),
  }));
}

test("lines with their places, as they are stored and as they are parsed", () => {
  expect(linesOf("a\r\n\u2028b", { line: 5, offset: 100 })).toEqual([
    { line: 5, offset: 100, stored: "a\r", text: "a" },
    { line: 6, offset: 103, stored: "\u2028b", text: "\u2028b" },
  ]);
});

test("blank lines count and are skipped", () => {
  expect(linesOf("\n \t\r\n\na\n\r\n").map(({ line, offset }) => [line, offset])).toEqual([[4, 6]]);
  expect(linesOf("")).toEqual([]);
});

test("a byte-order mark is one at the beginning of the stream only", () => {
  expect(linesOf("\ufeffa\n\ufeffb\n").map(({ stored, text }) => [stored, text])).toEqual([
    ["\ufeffa", "a"],
    ["\ufeffb", "\ufeffb"],
  ]);
  expect(linesOf("\ufeffa", { line: 2, offset: 9 })[0]?.text).toBe("\ufeffa");
  expect(linesOf("\ufeff\r\n")).toEqual([]);
});

test("a line that is too long has a place and nothing else", () => {
  expect(linesOf("aaa\nbbbb\nccc", undefined, 3)).toEqual([
    { line: 1, offset: 0, stored: "aaa", text: "aaa" },
    { line: 2, offset: 4, stored: "", text: undefined },
    { line: 3, offset: 9, stored: "ccc", text: "ccc" },
  ]);
  const [dropped, ...more] = blockLines({ line: 7, offset: 9, bytes: undefined });
  expect([dropped?.line, dropped?.offset, dropped?.bytes, more]).toEqual([7, 9, undefined, []]);
});

test("the lines are the bytes at their offsets", () => {
  const text = fc.string({ unit: fc.constantFrom("\n", "a", "é", "\r", " ", "\ufeff") });
  fc.assert(
    fc.property(text, (content) => {
      const all = Buffer.from(content);
      const lines = content.split("\n");
      for (const { line, offset, stored } of linesOf(content)) {
        expect(stored).toBe(lines[line - 1]);
        expect(all.toString("utf8", offset, offset + Buffer.byteLength(stored))).toBe(stored);
      }
    }),
  );
});
