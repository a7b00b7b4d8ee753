import fc from "fast-check";
import { expect, test } from "vitest";
import { listPaths, removeAt, setAt, valueAt } from "./edits.js";

const record = { a: [{ b: 1 }, "x"], c: null };

test("places, parents before children", () => {
  expect(listPaths(record)).toEqual([[], ["a"], ["a", 0], ["a", 0, "b"], ["a", 1], ["c"]]);
});

test("copies differ in one place, and the record is not changed", () => {
  const before = structuredClone(record);
  expect(setAt(record, ["a", 0, "b"], 2)).toEqual({ a: [{ b: 2 }, "x"], c: null });
  expect(setAt(record, ["a", 0, "new"], 2)).toEqual({ a: [{ b: 1, new: 2 }, "x"], c: null });
  expect(setAt(record, [], 7)).toBe(7);
  expect(removeAt(record, ["a", 0])).toEqual({ a: ["x"], c: null });
  expect(removeAt(record, ["c"])).toEqual({ a: [{ b: 1 }, "x"] });
  expect(() => removeAt(record, [])).toThrow(RangeError);
  expect(record).toEqual(before);
});

test("__proto__ is an ordinary key", () => {
  const odd = setAt({}, ["__proto__"], { a: 1 });
  expect(JSON.stringify(odd)).toBe('{"__proto__":{"a":1}}');
  expect(JSON.stringify(setAt(odd, ["__proto__", "a"], 2))).toBe('{"__proto__":{"a":2}}');
  expect(valueAt({}, ["__proto__"])).toBeUndefined();
});

test("any value, at any of its places", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const path of listPaths(value)) {
        expect(JSON.stringify(setAt(value, path, valueAt(value, path)))).toBe(
          JSON.stringify(value),
        );
        expect(valueAt(setAt(value, path, "new"), path)).toBe("new");
      }
    }),
  );
});
