import fc from "fast-check";
import { expect, test } from "vitest";
import { safeInteger } from "./safe-integer.js";
import { checkText } from "./testing/check-text.js";

function check(text: string) {
  return checkText(safeInteger, text).map(({ pointer, column }) => [pointer, column]);
}

test("an integer that is rounded, at any position", () => {
  expect(check('{"a":{"b/":[1, 9007199254740993]}}')).toEqual([["/a/b~1/1", 16]]);
  expect(checkText(safeInteger, '{"id":12345678901234567891}')).toEqual([
    {
      pointer: "/id",
      column: 7,
      message: "integer beyond 2^53 - 1: 12345678901234567891 is read as 12345678901234567000",
    },
  ]);
});

test.each([
  ["9007199254740991", 0],
  ["-9007199254740991", 0],
  ["9007199254740992", 1],
  ["-9007199254740992", 1],
  ["0.30000000000000004", 0],
  ["12345678901234567890.5", 0],
  ["12345678901234567890e1", 0],
  ["1e300", 0],
  ['"12345678901234567890"', 0],
  ['"id 12345678901234567890, and more"', 0],
])("%s: %i", (value, count) => {
  expect(check(`{"a":${value}}`)).toHaveLength(count);
  expect(check(`{"a": [ ${value} ]}`)).toHaveLength(count);
});

test("it reports the integers that are unsafe according to BigInt", () => {
  const integer = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
  const text = fc.string({ maxLength: 40 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, integer), { maxLength: 4 }), (fields) => {
      const parts = fields.map(([each, value]) => `[${JSON.stringify(each)},${value}]`);
      const expected = fields.flatMap(([, value], index) => {
        const size = value < 0n ? -value : value;
        return size > BigInt(Number.MAX_SAFE_INTEGER) ? [`/a/${index}/1`] : [];
      });
      const found = check(`{"a":[${parts.join(",")}]}`);
      expect(found.map(([pointer]) => pointer)).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});
