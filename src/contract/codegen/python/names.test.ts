import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { docstring, fieldNames, pythonLiteral, pythonString } from "./names.js";

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

test("docstrings keep their value, and what Python reads in no source is escaped", () => {
  const texts = TEXTS.filter((text) => !/[\0\r\ud800]/.test(text));
  expect(evaluate(texts.map(docstring))).toEqual(texts);
  expect(evaluate([docstring("a\0b\r\ud800\x1b\n\t")])).toEqual(["a\0b\r\ud800\x1b\n\t"]);
});

test("JSON values keep their value", () => {
  const values = [
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e21,
    1e-7,
    "x",
    [1, ["a"]],
    { a: [null], "": {} },
  ];
  expect(evaluate(values.map(pythonLiteral))).toEqual(values);
});

test("names that become one are numbered, and keywords and names of classes are avoided", () => {
  const types = new Set(["Task"]);
  expect(fieldNames(["a-b", "a_b", "class", "", "$ref", "__proto__", "Task", "1"], types)).toEqual([
    ...["a_b", "a_b2", "class_", "field_", "_ref", "field__proto__", "Task_", "_1"],
  ]);
});
