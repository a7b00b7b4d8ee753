import { expect, test } from "vitest";
import { findJsonDifferences } from "./differences.js";

test.each<[string, unknown, unknown]>([
  ["values", 1, 1],
  ["the order of keys", { a: 1, b: 2 }, { b: 2, a: 1 }],
  ["arrays", [1, [2]], [1, [2]]],
])("equal: %s", (_, left, right) => {
  expect(findJsonDifferences(left, right)).toEqual([]);
});

test.each<[string, unknown, unknown, string[]]>([
  ["the whole value", { a: 1 }, [1], [""]],
  ["zero and minus zero", 0, -0, [""]],
  ["the innermost place", { a: { b: [0, { c: 1 }] } }, { a: { b: [0, { c: 2 }] } }, ["/a/b/1/c"]],
  ["several places", { a: 1, b: 2, c: 3 }, { a: 0, b: 2, c: 0 }, ["/a", "/c"]],
  ["a key that needs escaping", { "a/b~c": 1 }, {}, ["/a~1b~0c"]],
  ["an inherited name", { constructor: 1 }, {}, ["/constructor"]],
  ["a key that is null on one side", { a: null }, {}, ["/a"]],
  ["an element in the middle", [1, 2, 3, 4], [1, 2, 4], ["/2"]],
  ["one element more, twice the same", [1, 1], [1, 1, 1], ["/2"]],
  ["an element more beside a changed one", [1, 2, 9], [1, 3, 4, 9], ["/1", "/2"]],
])("different: %s", (_, left, right, pointers) => {
  expect(findJsonDifferences(left, right).map(({ pointer }) => pointer)).toEqual(pointers);
  expect(
    findJsonDifferences(right, left)
      .map(({ pointer }) => pointer)
      .toSorted(),
  ).toEqual(pointers.toSorted());
});

test("both values are reported, undefined for a missing one", () => {
  expect(findJsonDifferences({ a: 1, b: 2 }, { a: 2, c: 3 })).toEqual([
    { pointer: "/a", left: 1, right: 2 },
    { pointer: "/b", left: 2, right: undefined },
    { pointer: "/c", left: undefined, right: 3 },
  ]);
});

test("deeply nested values", () => {
  const deep = (leaf: number): unknown =>
    JSON.parse(`${"[".repeat(3000)}${leaf}${"]".repeat(3000)}`);
  expect(findJsonDifferences(deep(1), deep(1))).toEqual([]);
  expect(findJsonDifferences(deep(1), deep(2)).length).toBe(1);
});
