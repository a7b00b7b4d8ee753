import { expect, test } from "vitest";
import { toContent } from "./to-content.js";

test.each<[string, unknown, unknown, string]>([
  ["text stays", "sunny", undefined, "sunny"],
  ["an object becomes JSON", { a: "é" }, undefined, '{"a":"é"}'],
  ["0 becomes JSON", 0, undefined, "0"],
  ["false becomes JSON", false, undefined, "false"],
  ["none becomes empty", undefined, undefined, ""],
  ["null becomes empty", null, undefined, ""],
  ["an output wins over the error", "Error: 42", { message: "other" }, "Error: 42"],
  ["no output: the error's text", undefined, "timed out", "timed out"],
  ["empty output: the error's message", "", { code: 3, message: "timed out" }, "timed out"],
  ["an error without message: its JSON", null, { code: 3 }, '{"code":3}'],
  ["an error with an empty message: its JSON", null, { message: "" }, '{"message":""}'],
])("%s", (_, output, error, expected) => {
  expect(toContent({ output, error })).toBe(expected);
});
