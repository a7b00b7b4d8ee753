import { expect, test } from "vitest";
import { locateInJson, toPosition } from "./locate-in-json.js";

test("line and column at which each value begins", () => {
  const text = '{\n  "a": [\r\n    1,\n\t{"b/c": "x"}\n  ]\n}\n';
  expect(locateInJson(text, ["", "/a", "/a/0", "/a/1/b~1c"])).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 8 },
    { line: 3, column: 5 },
    { line: 4, column: 10 },
  ]);
});

test("the first character for what cannot be found", () => {
  const start = { line: 1, column: 1 };
  expect(locateInJson('{\n"a": 1}', ["/b"])).toEqual([start]);
  expect(locateInJson('{\n"a": ', ["/a"])).toEqual([start]);
});

test("the place of an offset", () => {
  expect(toPosition("ab\nc", 0)).toEqual({ line: 1, column: 1 });
  expect(toPosition("ab\nc", 4)).toEqual({ line: 2, column: 2 });
});
