import { execFileSync } from "node:child_process";
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
  ["Sat Jan 31 12:00:30 2026", 30_000],
  ["Sat, 31 Jan 2026 12:00:30 +0000", 30_000],
  ["", undefined],
  ["-1", undefined],
  ["2026", 2_026_000],
  ["Sat, whenever", undefined],
  ["2026-01-31", undefined],
  [null, undefined],
])("%s is %s ms", (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms);
});

test("a form without a zone is GMT wherever the process runs", () => {
  const file = JSON.stringify(new URL("parse-retry-after.ts", import.meta.url).href);
  const header = JSON.stringify("Sat Jan 31 12:00:30 2026");
  const script = `const { parseRetryAfter } = await import(${file});
    console.log(parseRetryAfter(${header}, ${NOW}), new Date(0).getTimezoneOffset());`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", script];
  const env = { ...process.env, TZ: "America/New_York" };
  expect(execFileSync(process.execPath, args, { env, encoding: "utf8" })).toBe("30000 300\n");
});
