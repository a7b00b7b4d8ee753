import { expect, test } from "vitest";
import { isNightly, runCount, sampleCases } from "./run-count.js";

const cases = [1, 2, 3, 4, 5, 6, 7, 8, 9];

test("outside the nightly run, properties and lists of cases are cut", () => {
  expect(runCount(95)).toBe(isNightly ? 95 : 10);
  expect(runCount(95, 20)).toBe(isNightly ? 95 : 20);
  expect(sampleCases(cases, 3)).toEqual(isNightly ? cases : [1, 5, 9]);
  expect(sampleCases(cases, 1)).toEqual(isNightly ? cases : [1]);
});

test("a short list is taken as a whole", () => {
  expect(sampleCases(cases, 9)).toEqual(cases);
  expect(sampleCases([], 3)).toEqual([]);
});
