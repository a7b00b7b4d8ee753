import { describe, expect, test } from "vitest";
import { readArguments } from "./calls.js";
import { RowIssues } from "./issues.js";

describe("readArguments", () => {
  const read = (body: object) => {
    const issues = new RowIssues();
    const args = readArguments({ ...body }, "/call", "/call/function", issues);
    const found = [...issues.faults, ...issues.warnings];
    return { args, found: found.map(({ id, pointer }) => `${pointer} ${id}`) };
  };

  test.each<[unknown, unknown]>([
    ['{"path": "a.ts", "deep": {"n": [1]}}', { path: "a.ts", deep: { n: [1] } }],
    [{ path: "a.ts" }, { path: "a.ts" }],
    [null, {}],
    // A colon in a value is no second key.
    ['{"db": ":memory:"}', { db: ":memory:" }],
    [String.raw`{"say": "\":\" and \\", "db": ":"}`, { say: '":" and \\', db: ":" }],
    // A surrogate pair is a character, whether escaped or not.
    [String.raw`{"face": "\ud83d\ude00"}`, { face: "😀" }],
  ])("%j is read as an object", (given, args) => {
    expect(read({ arguments: given })).toEqual({ args, found: [] });
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
    '{"a": ":", "a": 2}',
    String.raw`{"half": "\ud83d"}`,
    `{"a": ${"[".repeat(500)}${"]".repeat(500)}}`,
  ])("%s stays a text, since parsing fails or would change it", (text) => {
    expect(read({ arguments: text })).toEqual({ args: text, found: [] });
  });

  test.each(["arguments", "args", "input", "parameters"])("they may be under %s", (key) => {
    expect(read({ [key]: { n: 1 } })).toEqual({ args: { n: 1 }, found: [] });
  });

  test("a call without any is counted at the call", () => {
    expect(read({ argv: ["1"] })).toEqual({ args: {}, found: ["/call no-arguments"] });
  });

  test("any other value is a fault at its owner", () => {
    expect(read({ arguments: [1] })).toEqual({ args: {}, found: ["/call/function type"] });
  });
});
