import { expect, test } from "vitest";
import { memoize } from "./memoize.js";

test("a result is made once for each object, even if it is undefined", () => {
  const asked: object[] = [];
  const nameOf = memoize((key: { readonly name?: string }) => {
    asked.push(key);
    return key.name;
  });
  const [one, other] = [{ name: "a" }, {}];
  expect([one, other, one, other].map(nameOf)).toEqual(["a", undefined, "a", undefined]);
  expect(asked).toEqual([one, other]);
});
