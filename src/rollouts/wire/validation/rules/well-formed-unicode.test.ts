import fc from "fast-check";
import { expect, test } from "vitest";
import { checkText } from "./testing/check-text.js";
import { wellFormedUnicode } from "./well-formed-unicode.js";

function check(text: string): [string, number | undefined, string][] {
  return checkText(wellFormedUnicode, text).map(({ pointer, column, message }) => [
    pointer,
    column,
    message,
  ]);
}

test.each([
  ["\\ud800", "U+D800"],
  ["\\uD83D x", "U+D83D"],
  ["x\\udc00", "U+DC00"],
  ["\\ud83d\\ud83d\\ude00", "U+D83D"],
  ["\\ud83d\\ude00\\uDE00", "U+DE00"],
  ["\\\\\\udbff", "U+DBFF"],
  // The first is a backslash followed by four letters, and not the other half of a pair.
  ["\\\\ud800\\ude00", "U+DE00"],
])("%s holds half of a pair", (written, code) => {
  expect(check(`{"a": ["x", "${written}"]}`)).toEqual([
    ["/a/1", 13, `holds a lone surrogate: ${code}`],
  ]);
});

test("in a key", () => {
  expect(check('{"\\ud800":1}')).toEqual([
    ["/\ud800", 2, "its key holds a lone surrogate: U+D800"],
  ]);
});

test.each([
  "\\ud83d\\ude00",
  "\\uD83D\\uDE00",
  "😀",
  "\\\\ud800",
  "\\u00e9",
  "\\\\\\\\udc00",
  "\\\\\\ud83d\\ude00",
])("%s is well formed", (text) => {
  expect(check(`{"a":"${text}"}`)).toEqual([]);
});

test("it reports nothing if and only if the text can be encoded as UTF-8", () => {
  const unit = fc.constantFrom("a", "\\", '"', "u", "d800", "\ud83d", "\ude00", "é", "\n");
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 8 }), fc.boolean(), (units, escaped) => {
      const text = units.join("");
      const json = JSON.stringify({ a: text });
      const line = escaped
        ? json.replaceAll(
            /[^\0-~]/g,
            (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
          )
        : json;
      const isWhole = Buffer.from(text, "utf8").toString("utf8") === text;
      expect(check(line).length === 0).toBe(isWhole);
    }),
    { numRuns: 3000 },
  );
});
