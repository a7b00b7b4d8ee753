import { expect, test } from "vitest";
import { buildingRollout, oncePerRollout } from "./once-per-rollout.js";

const copy = oncePerRollout((value: object) => ({ ...value }));
const value = { a: 1 };

test("while a rollout is built there is one result for each argument", () => {
  buildingRollout(() => {
    expect(copy(value)).toBe(copy(value));
    expect(copy(value)).toEqual(value);
    expect(copy({ a: 1 })).not.toBe(copy(value));
  });
});

test("at other times, and for the next rollout, there is a new one", () => {
  expect(copy(value)).not.toBe(copy(value));
  const first = buildingRollout(() => copy(value));
  expect(buildingRollout(() => copy(value))).not.toBe(first);
});

test("nothing is kept when the building fails", () => {
  const results: object[] = [];
  const fail = () => {
    results.push(copy(value));
    throw new Error("failed");
  };
  expect(() => buildingRollout(fail)).toThrow("failed");
  expect(copy(value)).not.toBe(results[0]);
  expect(copy(value)).not.toBe(copy(value));
});
