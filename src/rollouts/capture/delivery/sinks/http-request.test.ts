import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { parseRetryAfter, readRetryPolicy, retryDelay } from "./http-request.js";

describe("parseRetryAfter", () => {
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

  test("a form without a zone means GMT in every time zone", () => {
    const file = JSON.stringify(new URL("http-request.ts", import.meta.url).href);
    const header = JSON.stringify("Sat Jan 31 12:00:30 2026");
    const script = `const { parseRetryAfter } = await import(${file});
    console.log(parseRetryAfter(${header}, ${NOW}), new Date(0).getTimezoneOffset());`;
    const args = ["--import", "tsx", "--input-type=module", "--eval", script];
    const env = { ...process.env, TZ: "America/New_York" };
    expect(execFileSync(process.execPath, args, { env, encoding: "utf8" })).toBe("30000 300\n");
  });
});

describe("retryDelay", () => {
  test("doubles with each failure, up to a limit", () => {
    const delays = [1, 2, 3, 7, 8, 9, 5000].map((failures) =>
      retryDelay(failures, undefined, {}, () => 1),
    );
    expect(delays).toEqual([500, 1000, 2000, 32_000, 60_000, 60_000, 60_000]);
  });

  test("varies at random between half and all", () => {
    expect(retryDelay(3, undefined, {}, () => 0)).toBe(1000);
    expect(retryDelay(3, undefined, {}, () => 0.5)).toBe(1500);
  });

  test("waits as long as the destination asks, up to a limit, and never less than without", () => {
    const policy = { firstDelayMs: 100, maxDelayMs: 200, maxRetryAfterMs: 1000 };
    const delays = [0, 150, 999, 5000].map((asked) => retryDelay(1, asked, policy, () => 1));
    expect(delays).toEqual([100, 150, 999, 1000]);
  });

  test("anything but an object is an empty policy, and waits below 1 ms are errors", () => {
    const policy = { firstDelayMs: 1 };
    expect([3, undefined, () => {}, policy].map(readRetryPolicy)).toEqual([{}, {}, {}, policy]);
    const read = () => readRetryPolicy({ maxDelayMs: Number.NaN });
    expect(read).toThrow("retry: maxDelayMs must be a number from 1");
    expect(() => readRetryPolicy({ firstDelayMs: 0 })).toThrow("retry: firstDelayMs");
  });
});
