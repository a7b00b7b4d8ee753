import { expect, test } from "vitest";
import { isSameJson } from "./equality.js";

const same = (left: string, right: string): boolean =>
  isSameJson(JSON.parse(left), JSON.parse(right));

test.each([
  ["1", "1.0"],
  ["0", "-0"],
  ['"a"', '"\\u0061"'],
  ["[1,[null,true]]", "[1, [null, true]]"],
  ['{"a":1,"b":{"c":[],"d":{}}}', '{"b":{"d":{},"c":[]},"a":1}'],
  ['{"__proto__":1}', '{"__proto__":1}'],
])("%s equals %s", (left, right) => {
  expect(same(left, right)).toBe(true);
});

test.each([
  ["1", '"1"'],
  ["null", "{}"],
  ["[]", "{}"],
  ["[1,2]", "[2,1]"],
  ["[1]", "[1,1]"],
  ['{"a":1}', '{"a":1,"b":1}'],
  ['{"a":null}', '{"b":null}'],
  ['{"a":{}}', '{"toString":{}}'],
  ['{"a":[{"b":1}]}', '{"a":[{"b":2}]}'],
])("%s differs from %s, both ways", (left, right) => {
  expect([same(left, right), same(right, left)]).toEqual([false, false]);
});

test("an undefined field is absent", () => {
  const left = { a: 1, b: undefined };
  expect([isSameJson(left, { a: 1 }), isSameJson({ a: 1 }, left)]).toEqual([true, true]);
  expect(isSameJson(left, { a: 1, b: null })).toBe(false);
  expect(isSameJson({ b: undefined, c: 1 }, { b: 1, c: undefined })).toBe(false);
});

test("nesting beyond the call stack", () => {
  const deep = (leaf: string): string => "[".repeat(1e5) + leaf + "]".repeat(1e5);
  expect([same(deep("1"), deep("1")), same(deep("1"), deep("2"))]).toEqual([true, false]);
});
