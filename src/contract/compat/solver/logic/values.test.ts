import fc from "fast-check";
import { expect, test } from "vitest";
import { divideDown, isMultiple, leastCommonMultiple, multiply } from "./values.js";

test("multiples are compared by decimal digits, not as doubles", () => {
  expect(isMultiple(0.3, 0.1)).toBe(true);
  expect(isMultiple(1e21, 0.01)).toBe(true);
  expect(isMultiple(1.5, 1)).toBe(false);
  expect(isMultiple(-4, 2)).toBe(true);
  expect(isMultiple(0, 3)).toBe(true);
});

test("the least common multiple", () => {
  expect(leastCommonMultiple(4, 6)).toBe(12);
  expect(leastCommonMultiple(0.1, 0.25)).toBe(0.5);
});

test("a product is returned only if a double represents it exactly", () => {
  expect(multiply(0.1, 3n)).toBe(0.3);
  expect(multiply(1, 2n ** 53n + 1n)).toBeUndefined();
  expect(multiply(1e308, 10n)).toBeUndefined();
});

test("division rounds down, below zero too", () => {
  expect([divideDown(7, 2), divideDown(-7, 2), divideDown(6, -2)]).toEqual([3n, -4n, -3n]);
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 1000 }), (value, step) => {
      expect(divideDown(value, step)).toBe(BigInt(Math.floor(value / step)));
    }),
  );
});
