import { expect, test } from "vitest";
import { pointerTokens, resolvePointer, toPointerToken } from "./resolve-pointer.js";

const record = { a: [{ "b/c": 1 }, { "~": 2 }], "": 3 };

test.each([
  ["", record],
  ["/a/0/b~1c", 1],
  ["/a/1/~0", 2],
  ["/", 3],
  ["/a/2", undefined],
  ["/a/0/none/deeper", undefined],
  ["/constructor", undefined],
])("%j", (pointer, value) => {
  expect(resolvePointer(record, pointer)).toEqual(value);
});

test("tokens are escaped and unescaped", () => {
  const keys = ["a/b", "~1", "", "é"];
  const pointer = keys.map((key) => `/${toPointerToken(key)}`).join("");
  expect(pointer).toBe("/a~1b/~01//é");
  expect(pointerTokens(pointer)).toEqual(keys);
  expect(toPointerToken(7)).toBe("7");
});
