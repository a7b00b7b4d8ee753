import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeSyntaxError, findInvalidUtf8, type SyntaxFault } from "./syntax-error.js";

describe("describeSyntaxError", () => {
  function faultOf(text: string): SyntaxFault {
    try {
      JSON.parse(text);
    } catch (error) {
      return describeSyntaxError(text, error);
    }
    throw new Error(`is JSON: ${text}`);
  }

  test.each<[string, number, string]>([
    ["NaN", 1, "unexpected NaN"],
    ['{"a": NaN}', 7, "unexpected NaN"],
    ['{"a": True}', 7, "unexpected True"],
    ['{"a":-Infinity}', 7, "unexpected Infinity"],
    ['{"a":', 6, "unexpected end of input"],
    ["{", 2, "unexpected end of input"],
    ['{"a":"x', 8, "unexpected end of input"],
    ['{"a":1,}', 8, 'unexpected "}"'],
    ["{'a':1}", 2, `unexpected "'"`],
    ["{} {}", 4, 'unexpected "{"'],
    ['{"a":"\t"}', 7, String.raw`unexpected "\t"`],
    ['{"a":01}', 7, 'unexpected "1"'],
    ["hunter2", 1, 'unexpected "h"'],
    ['{"a": NaNs}', 7, 'unexpected "N"'],
    ['{"a":"\u2028"} 👍', 11, 'unexpected "👍"'],
  ])("%s", (text, column, message) => {
    expect(faultOf(text)).toEqual({ column, message: `not JSON: ${message}` });
  });

  test("column 1 if no position is reported", () => {
    expect(describeSyntaxError("{}", new SyntaxError("no idea"))).toEqual({
      column: 1,
      message: "not JSON",
    });
  });

  test("deep nesting does not crash it", () => {
    const text = `${"[".repeat(100_000)}NaN`;
    expect(faultOf(text).message).toMatch(/^not JSON/);
  });
});

describe("findInvalidUtf8", () => {
  test("the first invalid byte, after any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (before, after) => {
        const good = Buffer.from(before);
        const bytes = Buffer.concat([good, Buffer.of(0xff), Buffer.from(after)]);
        expect(findInvalidUtf8(good)).toBeUndefined();
        expect(findInvalidUtf8(bytes)).toBe(good.length);
      }),
    );
  });

  test("a sequence cut off, and an encoded surrogate", () => {
    expect(findInvalidUtf8(Buffer.of(0x61, 0xe2, 0x82))).toBe(1);
    expect(findInvalidUtf8(Buffer.of(0x61, 0xed, 0xa0, 0x80))).toBe(1);
  });
});
