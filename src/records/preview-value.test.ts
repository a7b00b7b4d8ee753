import { expect, test } from "vitest";
import { previewValue } from "./preview-value.js";

test.each([
  [7, "7"],
  [-0.5, "-0.5"],
  [null, "null"],
  [true, "true"],
  ["", '""'],
  ['a "b"', String.raw`"a \"b\""`],
  ["\u001b[2J", String.raw`"\u001b[2J"`],
  ["\u2028", String.raw`"\u2028"`],
  [[], "an empty array"],
  [[1], "an array"],
  [{}, "an object"],
])("%j is shown as %s", (value, shown) => {
  expect(previewValue(value)).toBe(shown);
});

test("long text is cut, also in the middle of a surrogate pair", () => {
  expect(previewValue("x".repeat(61))).toBe(`"${"x".repeat(60)}…"`);
  expect(previewValue(`${"x".repeat(59)}👍👍`)).toBe(`"${"x".repeat(59)}${String.raw`\ud83d`}…"`);
});

test("a deeply nested value costs nothing", () => {
  const depth = 100_000;
  expect(previewValue(JSON.parse("[".repeat(depth) + "]".repeat(depth)))).toBe("an array");
});
