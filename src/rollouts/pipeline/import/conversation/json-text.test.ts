import { expect, test } from "vitest";
import { NO_JSON, parseJsonText } from "./json-text.js";

test.each<[string, unknown]>([
  ['[{"a": ": b", "c": [":"]}]', [{ a: ": b", c: [":"] }]],
  ["7", 7],
  ['"x"', "x"],
  [String.raw`["\ud83d\ude00"]`, ["😀"]],
])("%s is read", (text, value) => {
  expect(parseJsonText(text)).toEqual({ value });
});

test.each([
  ["[1", NO_JSON],
  ["[NaN]", NO_JSON],
  ["[12345678901234567890]", "has an integer beyond 2^53 - 1"],
  ['{"a": 1, "\\u0061": ":b"}', "has duplicate keys"],
  [String.raw`["\ud83d"]`, "has a lone surrogate"],
  ["[".repeat(401) + "]".repeat(401), "is nested more than 400 levels deep"],
])("%j is refused", (text, problem) => {
  expect(parseJsonText(text)).toEqual({ problem });
});

test("levels above the value count as nesting", () => {
  const text = "[".repeat(395) + "]".repeat(395);
  expect(parseJsonText(text)).toHaveProperty("value");
  expect(parseJsonText(text, 6)).toHaveProperty("problem");
});
