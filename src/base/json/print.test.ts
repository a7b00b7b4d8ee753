import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findUnwritable, printJson, toJsonl, toSafeJson } from "./print.js";

describe("toSafeJson", () => {
  test("indented lines without control characters", () => {
    const lines = toSafeJson({ "a\u009b": ["\u{e0041}", "é\n"] }).split("\n");
    expect(lines).toEqual([
      "{",
      String.raw`  "a\u009b": [`,
      String.raw`    "\udb40\udc41",`,
      String.raw`    "é\n"`,
      "  ]",
      "}",
      "",
    ]);
  });

  test("the value is unchanged", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text)), (value) => {
        expect(JSON.parse(toSafeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("printJson", () => {
  test.each([
    [
      { a: [1e20, "1e20"], b: -9007199254740992 },
      '{"a":[1e+20,"1e20"],"b":-9.007199254740992e+15}',
    ],
    [9007199254740991, "9007199254740991"],
    [1e21, "1e+21"],
    ["9007199254740993", '"9007199254740993"'],
    [{ "9007199254740993": 1e20 }, '{"9007199254740993":1e+20}'],
  ])("%j", (value, text) => {
    expect(printJson(value)).toBe(text);
  });

  test("JSON.parse reads the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = printJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("toJsonl", () => {
  test("one record per line, each line ended", () => {
    expect(toJsonl([{ b: "two\nlines", a: [1, null] }, {}])).toBe(
      '{"b":"two\\nlines","a":[1,null]}\n{}\n',
    );
    expect(toJsonl([])).toBe("");
  });

  test("names the record and the pointer of a value that JSON cannot represent", () => {
    expect(() => toJsonl([{}, { "a/b": [{ x: Number.POSITIVE_INFINITY }] }])).toThrow(
      new TypeError('record 1: JSON cannot hold Infinity at "/a~1b/0/x"'),
    );
  });

  test("rejects what JSON.stringify rejects, with the record's number", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => toJsonl([cycle])).toThrow(/^record 0: JSON cannot hold it: .*circular/);
    expect(() => toJsonl([{}, { n: 1n }])).toThrow(/^record 1: JSON cannot hold it/);
  });
});

describe("findUnwritable", () => {
  test("any parsed JSON passes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findUnwritable(JSON.parse(JSON.stringify(value)))).toBeUndefined();
      }),
    );
  });

  test("an undefined property passes, and so does an object of another realm", () => {
    expect(findUnwritable({ a: undefined, b: Object.create(null) })).toBeUndefined();
    expect(findUnwritable(runInNewContext("({ a: [1] })"))).toBeUndefined();
  });

  test.each<[unknown, string]>([
    [Number.NaN, "NaN"],
    [undefined, "a value of type undefined"],
    [() => 1, "a value of type function"],
    [new Map(), "an object that is not a plain object"],
    [new Date(0), "an object that is not a plain object"],
  ])("%o does not pass", (value, what) => {
    expect(findUnwritable({ ok: 1, list: [0, value] })).toEqual({ pointer: "/list/1", what });
  });
});
