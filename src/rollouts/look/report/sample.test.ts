import { expect, test } from "vitest";
import type { LogEntry } from "./rollout-log.js";
import { orderForSample } from "./sample.js";

const entry = (fields: Partial<LogEntry>): LogEntry => ({
  offset: 0,
  length: 1,
  errors: 0,
  warnings: 0,
  contaminated: 0,
  gap: undefined,
  ...fields,
});

test("errors, contamination, extreme pairs by turns, warnings, then the others", () => {
  const entries = [
    entry({}),
    entry({ warnings: 1 }),
    entry({ gap: 0.1 }),
    entry({ gap: 0.9 }),
    entry({ contaminated: 2 }),
    entry({ errors: 1, warnings: 1 }),
  ];
  expect(orderForSample(entries, 0)).toEqual([5, 4, 2, 3, 1, 0]);
});

test("the rest is in random order, which the seed determines", () => {
  const entries = Array.from({ length: 1_000 }, () => entry({}));
  const [first, again, other] = [0, 0, 1].map((seed) => orderForSample(entries, seed));
  expect(first).toEqual(again);
  expect(first).not.toEqual(other);
  expect(first?.toSorted((a, b) => a - b)).toEqual(entries.map((_, index) => index));
  // Of a page for half of them, about half are from the first half.
  const early = first?.slice(0, 500).filter((index) => index < 500).length;
  expect(early).toBeGreaterThan(200);
  expect(early).toBeLessThan(300);
});

test("with many pairs, the extremes of both ends come before the middle", () => {
  const entries = Array.from({ length: 500 }, (_, index) => entry({ gap: index }));
  const extremes = orderForSample(entries, 7)
    .slice(0, 200)
    .sort((a, b) => a - b);
  const numbers = entries.map((_, index) => index);
  expect(extremes).toEqual([...numbers.slice(0, 100), ...numbers.slice(400)]);
});
