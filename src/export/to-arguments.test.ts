import { expect, test } from "vitest";
import { MAX_NESTING } from "./find-unexportable.js";
import { toArguments } from "./to-arguments.js";

test.each<[string, unknown, unknown]>([
  ["an object stays", { a: 1 }, { a: 1 }],
  ["text of an object becomes the object", '{"a": [1.5, null, "x"]}', { a: [1.5, null, "x"] }],
  ["none becomes {}", undefined, {}],
  ["null becomes {}", null, {}],
  ["broken text stays", '{"a": ', '{"a": '],
  ["empty text stays", "", ""],
  ["text of an array stays", "[1, 2]", "[1, 2]"],
  ["an array becomes text", [1, 2], "[1,2]"],
  ["a number becomes text", 7, "7"],
  ["false becomes text", false, "false"],
  [
    "an integer that would be rounded stays text",
    '{"id": 1234567890123456789}',
    '{"id": 1234567890123456789}',
  ],
  ["a number that would overflow stays text", '{"x": [-1e999]}', '{"x": [-1e999]}'],
])("%s", (_, args, expected) => {
  expect(toArguments(args)).toEqual(expected);
});

test("text becomes an object only as deep as can be exported", () => {
  const text = (depth: number) => `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;
  expect(toArguments(text(MAX_NESTING))).toBeTypeOf("object");
  expect(toArguments(text(MAX_NESTING + 1))).toBe(text(MAX_NESTING + 1));
});

test("text that is nested beyond the stack stays text", () => {
  const text = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  expect(toArguments(text)).toBe(text);
});
