import fc from "fast-check";
import { expect, test } from "vitest";
import { runCount } from "../../base/testing/run-count.js";
import { Distribution } from "./distribution.js";

function distributionOf(values: readonly number[]): Distribution {
  const distribution = new Distribution();
  for (const value of values) distribution.add(value);
  return distribution;
}

const binsOf = (...values: number[]) =>
  distributionOf(values)
    .bins()
    .map(({ low, high, count }) => [low, high, count]);

test("no values", () => {
  const none = new Distribution();
  expect([none.size, none.median, none.bins()]).toEqual([0, undefined, []]);
});

test("whole numbers in a small range have a bin each", () => {
  expect(binsOf(4, 2, 2)).toEqual([
    [2, 2, 2],
    [3, 3, 0],
    [4, 4, 1],
  ]);
  expect(binsOf(7)).toEqual([[7, 7, 1]]);
});

test("bins of whole numbers have round limits", () => {
  const bins = binsOf(3, 4, 5, 28);
  expect(bins[0]).toEqual([0, 4, 2]);
  expect(bins[1]).toEqual([5, 9, 1]);
  expect(bins.at(-1)).toEqual([25, 29, 1]);
});

test("the highest of fractions ends the last bin", () => {
  expect(binsOf(0, 0.5, 1).at(-1)).toEqual([0.9, 1, 1]);
  expect(binsOf(0.5)).toEqual([[0, 1, 1]]);
});

test("what is next to nothing is 0", () => {
  expect(binsOf(-5e-324, 2.5e-323)).toEqual([[0, 0, 2]]);
});

test("least, lower median and most", () => {
  const { least, median, most } = distributionOf([3, 1, 2, 9]);
  expect([least, median, most]).toEqual([1, 2, 9]);
});

test("every value is in one bin, and there are few", () => {
  const value = fc.oneof(
    fc.integer({ min: -5_000, max: 5_000 }),
    fc.double({ min: -10, max: 1e6, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const bins = distributionOf(values).bins();
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      expect(bins.length).toBeLessThanOrEqual(12);
      for (const [index, { low, high }] of bins.entries()) {
        expect(low).toBeLessThanOrEqual(high);
        if (index > 0) expect(low).toBeGreaterThan(bins[index - 1]?.low ?? 0);
      }
    }),
    { numRuns: runCount(5_000) },
  );
});
