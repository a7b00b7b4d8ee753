import { InvalidArgumentError } from "commander";
import { expect, test } from "vitest";
import { parseCount } from "./parse-count.js";

test.each([
  ["0", 0],
  ["007", 7],
  ["1700000000000", 1_700_000_000_000],
])("%s", (text, count) => {
  expect(parseCount(text)).toBe(count);
});

test.each(["", "-1", "1.5", "1e3", "0x10", " 1", "ten", "9007199254740993"])("not %j", (text) => {
  expect(() => parseCount(text)).toThrow(InvalidArgumentError);
});
