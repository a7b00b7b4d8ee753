import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseReward } from "./normalise-reward.js";

test("a perfect run has reward 1, under its own weights", () => {
  expect(normaliseReward(1.3)).toBe(1);
  expect(normaliseReward(0)).toBe(0);
  expect(normaliseReward(0.65)).toBe(0.5);
  expect(normaliseReward(1.3, { objective: 2, judge: 0.6 })).toBe(0.5);
});

test("scores beyond the scale are clamped", () => {
  expect(normaliseReward(-3)).toBe(0);
  expect(normaliseReward(7)).toBe(1);
});

test("always within 0..1", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (total) => {
      const reward = normaliseReward(total);
      return reward >= 0 && reward <= 1;
    }),
  );
});

test("what is no number is refused", () => {
  expect(() => normaliseReward(Number.NaN)).toThrow(RangeError);
});
