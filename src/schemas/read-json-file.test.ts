import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileFault } from "../findings/finding.js";
import { UserError } from "../user-error.js";
import { readJsonFile } from "./read-json-file.js";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "read-json-file-"));
});

afterEach(() => rmSync(root, { recursive: true }));

function placeOf(content: string | Uint8Array): unknown {
  writeFileSync(join(root, "a.json"), content);
  try {
    return readJsonFile(root, "a.json");
  } catch (error) {
    return error instanceof FileFault ? error.place : error;
  }
}

test("what is JSON is read, with its text", () => {
  const text = ' {"a": [1, {"a": ":"}]}\n';
  expect(placeOf(text)).toEqual({ text, value: { a: [1, { a: ":" }] } });
});

test.each([
  ['{\n  "a": 1,\n}', 3, 1, 'is not JSON: unexpected "}"'],
  ['{\n  "a": [\n', 3, 1, "is not JSON: unexpected end of input"],
  ['{\n  "a": NaN\n}', 2, 8, "is not JSON: unexpected NaN"],
  ["", 1, 1, "is not JSON: unexpected end of input"],
])("what is not has a line and a column: %j", (text, line, column, message) => {
  const position = { line, column };
  expect(placeOf(text)).toEqual({ id: "json", file: "a.json", position, message });
});

test("what is no object is told where it begins", () => {
  expect(placeOf("\n []")).toMatchObject({ id: "type", position: { line: 2, column: 2 } });
});

test("bytes that are not UTF-8 are not replaced, but told", () => {
  const bytes = Buffer.from('{\n  "é": "?"\n}');
  bytes[bytes.indexOf("?")] = 0xff;
  const position = { line: 2, column: 9 };
  const message = "is not UTF-8: byte 0xff";
  expect(placeOf(bytes)).toEqual({ id: "json", file: "a.json", position, message });
});

test("a key that stands twice in one object is told where it stands again", () => {
  expect(placeOf('{\n  "a": {"b": 1,\n    "\\u0062": 2}\n}')).toEqual({
    id: "duplicate-key",
    file: "a.json",
    pointer: "/a/b",
    position: { line: 3, column: 5 },
    message: 'has a second value under the key "b": remove one of the two',
  });
});

test("a file that is not there is a mistake in one line", () => {
  expect(() => readJsonFile(root, "b.json")).toThrow(new UserError("b.json: no such file"));
  expect(() => readJsonFile(root, ".")).toThrow("is a directory");
});
