import { expect, test } from "vitest";
import { FileFault } from "./file-fault.js";
import { parseJsonFile } from "./parse-json-file.js";

function placeOf(text: string): unknown {
  try {
    return parseJsonFile("schema/a.json", text);
  } catch (error) {
    return error instanceof FileFault ? error.place : error;
  }
}

test("what is JSON is read", () => {
  expect(parseJsonFile("schema/a.json", ' {"a": [1]}\n')).toEqual({ a: [1] });
});

test.each([
  ['{\n  "a": 1,\n}', 3, 1, 'is not JSON: unexpected "}"'],
  ['{\n  "a": [\n', 3, 1, "is not JSON: unexpected end of input"],
  ['{\n  "a": NaN\n}', 2, 8, "is not JSON: unexpected NaN"],
  ["", 1, 1, "is not JSON: unexpected end of input"],
])("what is not has a line and a column: %j", (text, line, column, problem) => {
  const position = { line, column };
  expect(placeOf(text)).toEqual({ id: "json", file: "schema/a.json", position, problem });
});
