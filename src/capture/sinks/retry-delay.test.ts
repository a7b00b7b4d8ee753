import { expect, test } from "vitest";
import { readRetryPolicy, retryDelay } from "./retry-delay.js";

test("doubles from failure to failure, up to a bound", () => {
  const delays = [1, 2, 3, 7, 8, 9, 5000].map((failures) =>
    retryDelay(failures, undefined, {}, () => 1),
  );
  expect(delays).toEqual([500, 1000, 2000, 32_000, 60_000, 60_000, 60_000]);
});

test("leaves out a random half", () => {
  expect(retryDelay(3, undefined, {}, () => 0)).toBe(1000);
  expect(retryDelay(3, undefined, {}, () => 0.5)).toBe(1500);
});

test("waits as long as it is asked to, up to a bound, and never less than on its own", () => {
  const policy = { firstDelayMs: 100, maxDelayMs: 200, maxRetryAfterMs: 1000 };
  const delays = [0, 150, 999, 5000].map((asked) => retryDelay(1, asked, policy, () => 1));
  expect(delays).toEqual([100, 150, 999, 1000]);
});

test("what is no policy is none, and one that would not wait is refused", () => {
  const policy = { firstDelayMs: 1 };
  expect([3, undefined, () => {}, policy].map(readRetryPolicy)).toEqual([{}, {}, {}, policy]);
  const read = () => readRetryPolicy({ maxDelayMs: Number.NaN });
  expect(read).toThrow("retry: maxDelayMs must be a number from 1");
  expect(() => readRetryPolicy({ firstDelayMs: 0 })).toThrow("retry: firstDelayMs");
});
