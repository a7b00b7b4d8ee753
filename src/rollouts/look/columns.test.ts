import fc from "fast-check";
import measure from "string-width";
import { describe, expect, test } from "vitest";
import { createPaint } from "../../base/paint.js";
import { runCount } from "../../base/testing/run-count.js";
import { columnWidth, sideBySide, truncate, wrap } from "./columns.js";

describe("truncate", () => {
  test.each([
    ["short", "short"],
    ["exactly ten", "exactly t…"],
    ["two\n lines", "two lines"],
    [`${" ".repeat(100)}late`, "…"],
    ["日本語のテキスト", "日本語の…"],
    ["a\u202eb", "a\\u202eb"],
    ["\u001b[31mred", "\\u001b[31…"],
  ])("%j is %j in ten columns", (text, expected) => {
    expect(truncate(text, 10)).toBe(expected);
  });
});

describe("wrap", () => {
  test.each([
    ["one two three", ["one two", "three"]],
    ["a\n\nb", ["a", "", "b"]],
    ["abcdefghijkl", ["abcdefghij", "kl"]],
    ["    abcdefghijkl", ["    abcdef", "ghijkl"]],
    ["日本語のテキスト", ["日本語のテ", "キスト"]],
    ["\tx", ["    x"]],
    ["a\u202eb", ["a\\u202eb"]],
    ["", [""]],
  ])("%j in ten columns", (text, expected) => {
    expect(wrap(text, 10)).toEqual(expected);
  });

  test("no line is too wide, and no word is lost", () => {
    const text = fc.string({
      unit: fc.constantFrom(
        ...["a", "b", " ", "日", "😀", "\n", "\t", "é", "\u0000", "ّ", "e\u0301"],
      ),
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 6, max: 30 }), (given, width) => {
        const lines = wrap(given, width);
        for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width);
        const letters = (shown: string): string => shown.replaceAll(/[^ab日é]/g, "");
        expect(letters(lines.join(""))).toBe(letters(given));
      }),
      { numRuns: runCount(5_000) },
    );
  });
});

test("columns of different heights; styles and wide characters keep them aligned", () => {
  const paint = createPaint(true);
  expect(sideBySide([["a", "日本"], [paint("bold", "b")], ["c", "d"]], 5)).toEqual([
    `a      ${paint("bold", "b")}      c`,
    "日本          d",
  ]);
  expect(sideBySide([], 5)).toEqual([]);
});

test("columns fill the width", () => {
  expect([1, 2, 3].map((count) => columnWidth(count, 80))).toEqual([80, 39, 25]);
});

test("many marks on a letter do not end a line early", () => {
  const letter = `a${"\u0301".repeat(40)}`;
  expect(wrap(letter.repeat(20), 10)).toEqual([letter.repeat(10), letter.repeat(10)]);
});
