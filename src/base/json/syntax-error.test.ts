import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runCount } from "../testing/run-count.js";
import {
  describeSyntaxError,
  findInvalidUtf8,
  findSyntaxError,
  type SyntaxFault,
} from "./syntax-error.js";

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
    ['{"a": NaN}', 7, 'unexpected NaN in "a"'],
    ['{"a": True}', 7, 'unexpected True in "a"'],
    ['{"a":-Infinity}', 7, 'unexpected Infinity in "a"'],
    ['{"b": 1, "x\\"\\u00e4" : {"c d":nan}}', 31, 'unexpected nan in "c d"'],
    ['{"x\\"\\u00e4":NaN}', 14, 'unexpected NaN in "x\\"ä"'],
    ['{"a": [NaN]}', 8, "unexpected NaN"],
    ['{"a": "b", NaN: 1}', 12, "unexpected NaN"],
    [`{"${"k".repeat(101)}": NaN}`, 107, "unexpected NaN"],
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

  test.each<[string, number, string]>([
    ["[tru]", 2, 'unexpected "t"'],
    ["[tru", 5, "unexpected end of input"],
    ['{"a":"\\q"}', 8, 'unexpected "q"'],
    ['{"a":"\\u12G4"}', 11, 'unexpected "G"'],
    ['"\\u123"', 7, String.raw`unexpected "\""`],
    ["1.", 3, "unexpected end of input"],
    ["[1.e5]", 4, 'unexpected "e"'],
    ["", 1, "unexpected end of input"],
  ])(
    "%s, where JSON.parse gives no position, or another one in each runtime",
    (text, column, message) => {
      expect(faultOf(text)).toEqual({ column, message: `not JSON: ${message}` });
    },
  );

  test("a long text has a position too", () => {
    const text = `[${'"\\n",'.repeat(300_000)}NaN]`;
    expect(faultOf(text)).toEqual({ column: text.length - 3, message: "not JSON: unexpected NaN" });
  });

  test("column 1 if the text is JSON", () => {
    expect(describeSyntaxError("{}", new SyntaxError("no idea"))).toEqual({
      column: 1,
      message: "not JSON",
    });
  });

  test("deep nesting does not crash it", () => {
    const text = `${"[".repeat(100_000)}NaN`;
    expect(faultOf(text)).toEqual({ column: 100_001, message: "not JSON: unexpected NaN" });
  });
});

describe("findSyntaxError", () => {
  /** A JSON text with some characters replaced, removed or added. */
  const damaged = fc
    .tuple(
      fc.json(),
      fc.array(
        fc.tuple(
          fc.nat(),
          fc.boolean(),
          fc.constantFrom("", ...'{}[]:,"\\u0e.-1 tn\t\u001f\u00a0'),
        ),
      ),
    )
    .map(([text, edits]) =>
      edits.reduce((edited, [place, replaces, char]) => {
        const at = place % (edited.length + 1);
        return edited.slice(0, at) + char + edited.slice(at + (replaces ? 1 : 0));
      }, text),
    );

  test("it finds an error where JSON.parse does, in the same place if V8 names one", () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const error = errorOf(text);
        const found = findSyntaxError(text);
        expect(found === undefined).toBe(error === undefined);
        const place = / at position (\d+)/.exec(error?.message ?? "")?.[1];
        // A wrong word is found at its start, because messages name it.
        if (place === undefined || /[tfn]/.test(text.charAt(found?.offset ?? 0))) return;
        expect(found?.offset).toBe(Number(place));
      }),
      { numRuns: runCount(20_000) },
    );
  });

  function errorOf(text: string): Error | undefined {
    try {
      JSON.parse(text);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
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
