import { expect, test } from "vitest";
import { parseRetryAfter } from "./parse-retry-after.js";

const NOW = Date.UTC(2026, 0, 31, 12, 0, 0);

test.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["1.5", 1_500],
  ["Sat, 31 Jan 2026 12:00:30 GMT", 30_000],
  ["Saturday, 31-Jan-26 12:00:30 GMT", 30_000],
  ["Sat, 31 Jan 2026 11:00:00 GMT", 0],
  ["", undefined],
  ["-1", undefined],
  ["2026", 2_026_000],
  ["Sat, whenever", undefined],
  ["2026-01-31", undefined],
  [null, undefined],
])("%s is %s ms", (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms);
});
