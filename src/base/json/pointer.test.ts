import { describe, expect, test } from "vitest";
import {
  locatePointers,
  MAX_LOCATED_LENGTH,
  pointerTokens,
  resolvePointer,
  toPointerToken,
} from "./pointer.js";

describe("resolvePointer", () => {
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
});

describe("locatePointers", () => {
  test("the column at which each value begins", () => {
    const text = '  {"a": 1, "b/c": [true, {"~": "x"}]}';
    expect(locatePointers(text, ["", "/a", "/b~1c", "/b~1c/1", "/b~1c/1/~0"])).toEqual([
      3, 9, 19, 26, 32,
    ]);
  });

  test("columns count UTF-16 code units; U+2028 is no line break", () => {
    expect(locatePointers('{"\u2028": "👍", "b": 1}', ["/b"])).toEqual([18]);
  });

  test("names are compared unescaped, and the last of duplicate keys counts", () => {
    expect(locatePointers(String.raw`{"\u0061": 1}`, ["/a"])).toEqual([12]);
    expect(locatePointers('{"a": 1, "a": 2}', ["/a"])).toEqual([15]);
  });

  test("column 1 for a pointer that names nothing", () => {
    const depth = 100_000;
    expect(locatePointers('{"a": 1}', ["/b", "/a/0/x"])).toEqual([1, 1]);
    expect(locatePointers('{"a": ', ["/a"])).toEqual([1]);
    expect(locatePointers(`{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`, ["/a"])).toEqual([1]);
    expect(locatePointers(`{"b":"${"x".repeat(MAX_LOCATED_LENGTH)}","a":1}`, ["/a"])).toEqual([1]);
  });

  test("a carriage return within a line is white space, not a new line", () => {
    expect(locatePointers('{"a":1,\r"b":2}', ["/b"])).toEqual([13]);
  });
});
