import { describe, expect, test } from "vitest";
import { UserError } from "../user-error.js";
import { parseEvalItems } from "./parse-eval-items.js";

const read = (text: string) =>
  parseEvalItems(text, "eval").map(({ line, id, text }) => `${line} ${id} ${text}`);

describe("parseEvalItems", () => {
  test("reads JSONL of objects and strings", () => {
    expect(read('{"prompt": "a"}\n\n{"id": "q2", "text": "b"}\n"c"\n')).toEqual([
      "1 #1 a",
      "3 q2 b",
      "4 #3 c",
    ]);
    expect(read('"a"\n{"task": "b"}')).toEqual(["1 #1 a", "2 #2 b"]);
  });

  test("reads a JSON array of strings and objects, on one line or many", () => {
    expect(read('["a", {"question": "b"}]')).toEqual(["1 #1 a", "1 #2 b"]);
    expect(read('\n[\n  "a",\n  {\n    "id": 7,\n    "input": "b"\n  }\n]\n')).toEqual([
      "3 #1 a",
      "4 7 b",
    ]);
  });

  test("reads plain text, a line each", () => {
    expect(read("What is 2+2?\n\n  Name a river.  ")).toEqual([
      "1 #1 What is 2+2?",
      "3 #2 Name a river.",
    ]);
  });

  test.each([
    "[INST] Name a river.",
    "[1] Name a river.",
    '"To be" is from which play?',
    "42",
    "null",
  ])("takes %s for plain text", (line) => {
    expect(read(`${line}\nb`)).toEqual([`1 #1 ${line}`, "2 #2 b"]);
  });

  test("takes CRLF line ends", () => {
    expect(read("a\r\n\r\nb\r\n")).toEqual(["1 #1 a", "3 #2 b"]);
    expect(read('"a"\r\n"b"\r\n')).toEqual(["1 #1 a", "2 #2 b"]);
    expect(read('[\r\n"a",\r\n"b"]\r\n')).toEqual(["2 #1 a", "3 #2 b"]);
  });

  test("names the field to read", () => {
    const items = parseEvalItems('{"prompt": "a", "body": "b"}', "eval", "body");
    expect(items).toEqual([{ file: "eval", line: 1, id: "#1", text: "b" }]);
  });

  test.each([
    ["", "eval: no evaluation items, so nothing to compare tasks with"],
    [" \n\r\n", "eval: no evaluation items, so nothing to compare tasks with"],
    ["[]", "eval: no evaluation items, so nothing to compare tasks with"],
    ['{"a": 1}', "eval:1: an evaluation item without text in the field prompt, question, task, "],
    ['"a"\n7', "eval:2: an evaluation item must be a string or an object"],
    ['["a",\n7]', "eval:2: an evaluation item must be a string or an object"],
    ['{"text": "a"}\n{"text": "b', "eval:2: not JSON, in a set that line 1 made JSONL"],
    ['{\n  "text": "a"\n}', "eval:1: not JSON, in a set that line 1 made JSONL"],
    ['# items\n\n{"text": "a"}', "eval:3: a JSON object, in a set that line 1 made plain text"],
    ['["a",\n"b]', "eval:2: not JSON, in element 2 of the array"],
    ['["a",\n{"b": },\n"c"]', "eval:2: not JSON, in element 2 of the array"],
    ['["a"\n"b"]', "eval:1: not JSON, in element 1 of the array"],
    ['\n["a",\n"b"', "eval:2: the JSON array that begins here does not end"],
    ["[\n", "eval:1: the JSON array that begins here does not end"],
    ['["a"]\n["b"]', "eval:1: not JSON, in element 1 of the array"],
  ])("refuses %j", (text, message) => {
    expect(() => parseEvalItems(text, "eval")).toThrow(UserError);
    expect(() => parseEvalItems(text, "eval")).toThrow(message);
  });
});
