import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { docstring, pythonLiteral, pythonString } from "./names.js";

/** The values of the expressions in Python. */
function evaluate(expressions: readonly string[]): unknown {
  const program = `import json\nprint(json.dumps([${expressions.join(", ")}]))`;
  return JSON.parse(execFileSync("python3", ["-c", program], { encoding: "utf8" }));
}

const TEXTS = [
  "",
  "a",
  '"',
  "'",
  "\\",
  "\n\r\t\0",
  "é",
  "\u2028",
  "😀",
  "\ud800",
  "{x}",
  "\\u0041",
  '"""',
  'ends in "',
];

test("strings keep their value", () => {
  expect(evaluate(TEXTS.map(pythonString))).toEqual(TEXTS);
});

test("docstrings keep their value", () => {
  const texts = TEXTS.filter((text) => !/[\0\r\ud800]/.test(text));
  expect(evaluate(texts.map(docstring))).toEqual(texts);
});

test("scalars keep their value", () => {
  const scalars = [null, true, false, 0, -1, 1.5, 1e21, 1e-7, "x"];
  expect(evaluate(scalars.map(pythonLiteral))).toEqual(scalars);
});

test("objects and arrays are rejected", () => {
  expect(() => pythonLiteral({})).toThrow("use scalars");
});
