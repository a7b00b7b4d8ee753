import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findUnwritable } from "./find-unwritable.js";

test("whatever came out of JSON passes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(findUnwritable(JSON.parse(JSON.stringify(value)))).toBeUndefined();
    }),
  );
});

test("an absent property passes, an object of another realm too", () => {
  expect(findUnwritable({ a: undefined, b: Object.create(null) })).toBeUndefined();
  expect(findUnwritable(runInNewContext("({ a: [1] })"))).toBeUndefined();
});

test.each<[unknown, string]>([
  [Number.NaN, "NaN"],
  [undefined, "a value of type undefined"],
  [() => 1, "a value of type function"],
  [new Map(), "an object that is no plain object"],
  [new Date(0), "an object that is no plain object"],
])("%o does not pass", (value, what) => {
  expect(findUnwritable({ ok: 1, list: [0, value] })).toEqual({ pointer: "/list/1", what });
});
