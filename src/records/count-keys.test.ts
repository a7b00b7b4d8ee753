import { expect, test } from "vitest";
import { countKeys } from "./count-keys.js";

test("keys of objects wherever they are", () => {
  expect(countKeys({})).toBe(0);
  expect(countKeys({ a: [{ b: null, c: [[{ d: 1 }]] }], e: "" })).toBe(5);
});
