import { expect, test } from "vitest";
import { parsePythonLiteral } from "./python-literal.js";

test.each<[string, unknown]>([
  [
    `{'name': 'weather', "arguments": {'city': "Ayr's"}}`,
    { name: "weather", arguments: { city: "Ayr's" } },
  ],
  [
    "[1, -2.5, 1e3, True, False, None, ('a', 'b',), ]",
    [1, -2.5, 1000, true, false, null, ["a", "b"]],
  ],
  [`'a\\n\\'\\x41\\u00e9\\U0001F600\\d'`, "a\n'Aé😀\\d"],
  [" {} ", {}],
  ["{'__proto__': 1}", JSON.parse('{"__proto__": 1}')],
])("%s", (text, value) => {
  expect(parsePythonLiteral(text)).toEqual(value);
});

test.each([
  "",
  "x",
  "{1: 2}",
  "{'a': 1, 'a': 2}",
  "{'a' 1}",
  "[1 2]",
  "['a",
  "'a\nb'",
  "'\\ud800'",
  "'\\xg0'",
  "12345678901234567890",
  "1e999",
  "nan",
  "{} {}",
  "__import__('os')",
  "[".repeat(100_000),
])("refused: %s", (text) => {
  expect(parsePythonLiteral(text)).toBeUndefined();
});
