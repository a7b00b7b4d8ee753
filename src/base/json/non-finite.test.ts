import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLine } from "../jsonl/reader.js";
import { locateFirst, NonFiniteParser } from "./non-finite.js";

function parse(text: string): unknown {
  return new NonFiniteParser().parse(text);
}

function faultOf(text: string) {
  const parsed = parseLine(Buffer.from(text), parse);
  return "fault" in parsed ? parsed.fault : undefined;
}

test("bare words become null, but stay text inside strings", () => {
  const text = String.raw`{"NaN": NaN, "a\"": [Infinity,-Infinity , "Infinity \" NaN", 1], "b\\": NaN}`;
  expect(parse(text)).toEqual({
    NaN: null,
    'a"': [null, null, 'Infinity " NaN', 1],
    "b\\": null,
  });
});

test("the bare words are reported, with the position of the first", () => {
  const parser = new NonFiniteParser();
  const text = '{"a/b": ["NaN", {"c": -Infinity}], "d": NaN}';
  parser.parse(text);
  const { latest } = parser;
  expect(latest?.words).toEqual([
    { word: "-Infinity", start: text.indexOf("-Infinity") },
    { word: "NaN", start: text.lastIndexOf("NaN") },
  ]);
  expect(latest?.json).toBe('{"a/b": ["NaN", {"c": -0       }], "d": 0  }');
  expect(latest && locateFirst(latest)).toBe("/a~1b/1/c");
  parser.parse('{"a": "NaN"}');
  expect(parser.latest).toBeUndefined();
});

describe("any other syntax error is thrown with its own position", () => {
  test.each([
    ['{"a": NaN, "b": }', 17, 'not JSON: unexpected "}"'],
    ['{"a": NaN, "b": nan}', 17, 'not JSON: unexpected nan in "b"'],
    ['{"a": Infinity, "b": 1', 23, "not JSON: unexpected end of input"],
    ['{"a": -NaN}', 8, 'not JSON: unexpected NaN in "a"'],
    ['{"a": +Infinity}', 7, 'not JSON: unexpected "+"'],
    ['{"a": NaNs}', 7, 'not JSON: unexpected "N"'],
    ['{"a": NaN, NaN: 1}', 12, "not JSON: unexpected NaN"],
    ['{"a": undefined}', 7, 'not JSON: unexpected undefined in "a"'],
    ['{"a": "NaN', 11, "not JSON: unexpected end of input"],
  ])("%s", (text, column, message) => {
    expect(faultOf(text)).toEqual({ id: "json", column, message });
  });
});

/** As Python's json.dumps writes it, with or without a space after each comma. */
function print(value: unknown, space: string): string {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => print(each, space)).join(`,${space}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${space}${print(each, space)}`,
  );
  return `{${members.join(`,${space}`)}}`;
}

test("non-finite numbers in any value are read as null", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("NaN", "Infinity", "-", '"', "\\", ",") }),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      texts,
      fc.double(),
      fc.constantFrom(null, true, Number.NaN),
      fc.array(tie("value")),
      fc.dictionary(texts, tie("value")),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom("", " "), (any, space) => {
      // JSON.stringify writes non-finite numbers as null.
      expect(parse(print(any, space))).toEqual(JSON.parse(JSON.stringify(any)));
    }),
  );
});

test("a text with other syntax errors is rejected as JSON.parse rejects it", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:N1 \\') }), (text) => {
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        expect(() => parse(text)).toThrow(SyntaxError);
        return;
      }
      expect(parse(text)).toEqual(expected);
    }),
  );
});
