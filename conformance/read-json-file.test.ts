import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FileFault } from "./file-fault.js";
import { readJsonFile } from "./read-json-file.js";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-json-"));
});
afterAll(() => rmSync(root, { recursive: true }));

function placeOf(text: string | Uint8Array): unknown {
  writeFileSync(join(root, "a.json"), text);
  try {
    return readJsonFile(root, "a.json");
  } catch (error) {
    return error instanceof FileFault ? error.place : error;
  }
}

test("what is JSON is read, with its text", () => {
  const source = ' {"a": [{"b": 1}, {"b": 2}]}\n';
  expect(placeOf(source)).toEqual({ source, value: { a: [{ b: 1 }, { b: 2 }] } });
});

test.each([
  ['{\n  "a": 1,\n}', 3, 1, "json", 'is not JSON: unexpected "}"'],
  ['{\n  "a": [\n', 3, 1, "json", "is not JSON: unexpected end of input"],
  ['{\n  "a": NaN\n}', 2, 8, "json", "is not JSON: unexpected NaN"],
  ["", 1, 1, "json", "is not JSON: unexpected end of input"],
  [Buffer.from('{\n  "é": "\xe9"\n}', "latin1"), 2, 4, "json", "is not UTF-8: byte 0xe9"],
  ["\n []", 2, 2, "type", "must be an object, is an empty array"],
])("what is not has a line and a column: %j", (text, line, column, id, problem) => {
  expect(placeOf(text)).toEqual({ id, file: "a.json", position: { line, column }, problem });
});

test("a key that is repeated, of which readers keep one or the other", () => {
  expect(placeOf('{\n  "a": {"b": 1,\n    "b": 2}\n}')).toEqual({
    id: "duplicate-key",
    file: "a.json",
    pointer: "/a/b",
    position: { line: 3, column: 5 },
    problem: 'is a second value under the key "b"',
  });
});

test("a file that is not there, or is a folder, cannot be read", () => {
  expect(() => readJsonFile(root, "none.json")).toThrow("none.json: no such file");
  expect(() => readJsonFile(root, ".")).toThrow("is a directory");
});
