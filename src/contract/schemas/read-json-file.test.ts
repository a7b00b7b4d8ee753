import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileFault } from "../../base/findings/finding.js";
import { UserError } from "../../base/user-error.js";
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

test("returns the value and the text", () => {
  const text = ' {"a": [1, {"a": ":"}]}\n';
  expect(placeOf(text)).toEqual({ text, value: { a: [1, { a: ":" }] } });
});

test.each([
  ['{\n  "a": 1,\n}', 3, 1, 'is not JSON: unexpected "}"'],
  ['{\n  "a": [\n', 3, 1, "is not JSON: unexpected end of input"],
  ['{\n  "a": NaN\n}', 2, 8, 'is not JSON: unexpected NaN in "a"'],
  ["", 1, 1, "is not JSON: unexpected end of input"],
])("invalid JSON is reported with line and column: %j", (text, line, column, message) => {
  const position = { line, column };
  expect(placeOf(text)).toEqual({ id: "json", file: "a.json", position, message });
});

test("a value that is not an object is reported at its start", () => {
  expect(placeOf("\n []")).toMatchObject({ id: "type", position: { line: 2, column: 2 } });
});

test("bytes that are not UTF-8 are reported, not replaced", () => {
  const bytes = Buffer.from('{\n  "é": "?"\n}');
  bytes[bytes.indexOf("?")] = 0xff;
  const position = { line: 2, column: 9 };
  const message = "is not UTF-8: byte 0xff";
  expect(placeOf(bytes)).toEqual({ id: "json", file: "a.json", position, message });
});

test("a repeated key is reported at its second place", () => {
  expect(placeOf('{\n  "a": {"b": 1,\n    "\\u0062": 2}\n}')).toEqual({
    id: "duplicate-key",
    file: "a.json",
    pointer: "/a/b",
    position: { line: 3, column: 5 },
    message: 'has a second value under the key "b": remove one of the two',
  });
});

test("a missing file is a one-line error", () => {
  expect(() => readJsonFile(root, "b.json")).toThrow(new UserError("b.json: no such file"));
  expect(() => readJsonFile(root, ".")).toThrow("is a directory");
});
