import { expect, test } from "vitest";
import { resolvePointer } from "./resolve-pointer.js";

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
