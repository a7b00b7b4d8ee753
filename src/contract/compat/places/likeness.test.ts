import fc from "fast-check";
import { expect, test } from "vitest";
import { pairByLikeness } from "./likeness.js";

const types = fc.array(fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 }), {
  maxLength: 5,
});

function likenessOf(one: readonly string[] = [], other: readonly string[] = []): number {
  const shared = one.filter((name) => other.includes(name)).length;
  return shared / Math.max(1, one.length + other.length - shared);
}

test("each type has at most one twin, and no two that are left are alike", () => {
  fc.assert(
    fc.property(types, types, (olds, news) => {
      const pairs = [...pairByLikeness(olds, news)];
      const [left, right] = [new Set(olds.keys()), new Set(news.keys())];
      for (const [one, other] of pairs) {
        expect(likenessOf(olds[one], news[other])).toBeGreaterThanOrEqual(0.5);
        expect([left.delete(one), right.delete(other)]).toEqual([true, true]);
      }
      for (const one of left) {
        for (const other of right) expect(likenessOf(olds[one], news[other])).toBeLessThan(0.5);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("the most alike come first", () => {
  const news = [
    ["a", "b", "x"],
    ["a", "b"],
  ];
  expect([...pairByLikeness([["a", "b"]], news)]).toEqual([[0, 1]]);
  expect([...pairByLikeness([["a"], ["a", "b"]], [["a", "b"]])]).toEqual([[1, 0]]);
});

test("thousands of types that are all alike are paired in order", () => {
  const alike = (prefix: string) =>
    Array.from({ length: 2000 }, (_, index) => ["a", "b", "c", `${prefix}${index}`]);
  const pairs = [...pairByLikeness(alike("x"), alike("y"))];
  expect(pairs.every(([one, other]) => one === other)).toBe(true);
  expect(pairs).toHaveLength(2000);
});
