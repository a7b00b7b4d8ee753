import { expect, test } from "vitest";
import { locateInText, toTextPosition } from "./finding.js";

const text = '{\n  "a": 1,\n  "b": { "c/d": [true,\n    null] }\n}\n';

test.each<[string, number, number]>([
  ["", 1, 1],
  ["/a", 2, 8],
  ["/b", 3, 8],
  ["/b/c~1d/0", 3, 18],
  ["/b/c~1d/1", 4, 5],
])("%j", (pointer, line, column) => {
  expect(locateInText(text, pointer)).toEqual({ line, column });
});

test("carriage returns and tabs are columns", () => {
  expect(locateInText('{\n  "a": [\r\n    1,\n\t{"b": "x"}\n  ]\n}\n', "/a/1/b")).toEqual({
    line: 4,
    column: 8,
  });
});

test("a missing value is located at its parent", () => {
  expect(locateInText(text, "/b/x/0")).toEqual({ line: 3, column: 8 });
  expect(locateInText(text, "/x")).toEqual({ line: 1, column: 1 });
  expect(locateInText("no JSON", "/a")).toEqual({ line: 1, column: 1 });
});

test("offsets, including the end of the text", () => {
  expect(toTextPosition("a\nbc", 0)).toEqual({ line: 1, column: 1 });
  expect(toTextPosition("a\nbc", 2)).toEqual({ line: 2, column: 1 });
  expect(toTextPosition("a\nbc", 4)).toEqual({ line: 2, column: 3 });
});
