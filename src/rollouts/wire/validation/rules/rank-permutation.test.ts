import fc from "fast-check";
import { expect, test } from "vitest";
import { rankPermutation } from "./rank-permutation.js";
import { createFacts } from "./testing/create-facts.js";

function check(ranks: readonly (number | undefined)[]): [number, string][] {
  const faults = rankPermutation.check(ranks.map((rank) => createFacts({ rank })));
  expect(faults.every(({ pointer }) => pointer === "/rank")).toBe(true);
  return faults.map(({ branch, message }) => [branch, message]);
}

test("a repeated rank, at every branch but the first", () => {
  expect(check([1, 1, 2, 1])).toEqual([
    [1, "a second branch of rank 1 in this rollout"],
    [3, "a second branch of rank 1 in this rollout"],
  ]);
});

test("a rank above the number of branches", () => {
  expect(check([3, 1])).toEqual([[0, "rank 3 in a rollout of 2 branches"]]);
  expect(check([2])).toEqual([[0, "rank 2 in a rollout of 1 branch"]]);
});

test("ranks of 0, which are invalid by themselves, leave the others as they are", () => {
  expect(check([0, 1])).toEqual([]);
  expect(check([0, 0, 2])).toEqual([]);
  expect(check([0, 1, 1, 5])).toEqual([
    [2, "a second branch of rank 1 in this rollout"],
    [3, "rank 5 in a rollout of 4 branches"],
  ]);
});

test("unranked branches", () => {
  expect(check([undefined, undefined])).toEqual([]);
});

test("it reports nothing if and only if the sorted ranks are 1 to n", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 5 }), (ranks) => {
      const isPermutation = ranks.toSorted((a, b) => a - b).every((rank, at) => rank === at + 1);
      expect(check(ranks).length === 0).toBe(isPermutation);
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 }), (ranks) => {
      expect(check(ranks)).toEqual([]);
    }),
  );
});
