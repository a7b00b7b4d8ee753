import { expect, test } from "vitest";
import { toArgs } from "./to-args.js";

test.each<[unknown, unknown]>([
  ['{"path": "a.ts", "deep": {"n": [1]}}', { path: "a.ts", deep: { n: [1] } }],
  [{ path: "a.ts" }, { path: "a.ts" }],
  [undefined, undefined],
  // A pair of surrogates is a character, written as escapes or not.
  [String.raw`{"face": "\ud83d\ude00"}`, { face: "😀" }],
])("%j is read as an object", (given, args) => {
  expect(toArgs(given)).toEqual(args);
});

test.each([
  '{"path": ',
  "",
  "[1]",
  '"text"',
  "17",
  '{"id": 12345678901234567890}',
  '{"size": 1e999}',
  '{"a": 1, "a": 2}',
  String.raw`{"half": "\ud83d"}`,
  `{"a": ${"[".repeat(500)}${"]".repeat(500)}}`,
])("%s stays a text, since parsing fails or would change it", (text) => {
  expect(toArgs(text)).toBe(text);
});
