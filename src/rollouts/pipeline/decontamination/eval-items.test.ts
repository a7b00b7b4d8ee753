import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT, UserError } from "../../../base/user-error.js";
import {
  EVAL_FIELDS,
  findArrayElements,
  parseEvalItems,
  readEvalItems,
  toEvalItem,
} from "./eval-items.js";

describe("parseEvalItems", () => {
  const read = (text: string) =>
    parseEvalItems(text, "eval").map(({ line, id, text }) => `${line} ${id} ${text}`);

  test("reads JSONL of objects and strings", () => {
    expect(read('{"prompt": "a"}\n\n{"id": "q2", "text": "b"}\n"c"\n')).toEqual([
      "1 #1 a",
      "3 q2 b",
      "4 #3 c",
    ]);
    expect(read('"a"\n{"task": "b"}')).toEqual(["1 #1 a", "2 #2 b"]);
  });

  test("reads a JSON array of strings and objects, on one or several lines", () => {
    expect(read('["a", {"question": "b"}]')).toEqual(["1 #1 a", "1 #2 b"]);
    expect(read('\n[\n  "a",\n  {\n    "id": 7,\n    "input": "b"\n  }\n]\n')).toEqual([
      "3 #1 a",
      "4 7 b",
    ]);
  });

  test("reads plain text, one item per line", () => {
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

  test("accepts CRLF line ends", () => {
    expect(read("a\r\n\r\nb\r\n")).toEqual(["1 #1 a", "3 #2 b"]);
    expect(read('"a"\r\n"b"\r\n')).toEqual(["1 #1 a", "2 #2 b"]);
    expect(read('[\r\n"a",\r\n"b"]\r\n')).toEqual(["2 #1 a", "3 #2 b"]);
  });

  test("reads the named field", () => {
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
    ['{"text": "a"}\n{"text": "b', "eval:2: not JSON, but line 1 is JSONL"],
    ['{\n  "text": "a"\n}', "eval:1: not JSON, but line 1 is JSONL"],
    ['# items\n\n{"text": "a"}', "eval:3: a JSON object, but line 1 is plain text"],
    ['["a",\n"b]', "eval:2: not JSON, in element 2 of the array"],
    ['["a",\n{"b": },\n"c"]', "eval:2: not JSON, in element 2 of the array"],
    ['["a"\n"b"]', "eval:1: not JSON, in element 1 of the array"],
    ['\n["a",\n"b"', "eval:2: the JSON array that begins here is not closed"],
    ["[\n", "eval:1: the JSON array that begins here is not closed"],
    ['["a"]\n["b"]', "eval:1: not JSON, in element 1 of the array"],
  ])("refuses %j", (text, message) => {
    expect(() => parseEvalItems(text, "eval")).toThrow(UserError);
    expect(() => parseEvalItems(text, "eval")).toThrow(message);
  });
});

describe("findArrayElements", () => {
  test("yields one element per array element, with its line", () => {
    const property = fc.property(
      fc.array(fc.jsonValue()),
      fc.constantFrom(0, 1, "\t"),
      (value, indent) => {
        const json = ` \n${JSON.stringify(value, null, indent)}\n`;
        const elements = findArrayElements(json);
        expect(elements).toHaveLength(value.length);
        elements.forEach(({ line, start }, index) => {
          expect(line).toBe(json.slice(0, start).split("\n").length);
          const source = JSON.stringify(value[index], null, indent);
          const end = elements[index + 1]?.start ?? json.lastIndexOf("]");
          expect(JSON.parse(json.slice(start, end).trim().replace(/,$/, ""))).toEqual(
            JSON.parse(source),
          );
        });
      },
    );
    fc.assert(property);
  });

  test("ignores brackets, commas and quotes in strings", () => {
    const json = '["a,]\\"[",\n["x", {"y": "}"}], "z\\\\"]';
    expect(findArrayElements(json)).toEqual([
      { line: 1, start: 1 },
      { line: 2, start: json.indexOf('["x"') },
      { line: 2, start: json.indexOf('"z') },
    ]);
  });

  test("yields none for an empty array", () => {
    expect(findArrayElements("[\n]")).toEqual([]);
  });
});

describe("toEvalItem", () => {
  const ref = { file: "eval.jsonl", line: 3, id: "#3" };

  test("takes a string as the text", () => {
    expect(toEvalItem("What?", ref)).toEqual({ ...ref, text: "What?" });
    expect(() => toEvalItem("What?", ref, "body")).toThrow(
      "eval.jsonl:3: a string, so it has no field body",
    );
  });

  test.each(EVAL_FIELDS)("takes the text from %s", (field) => {
    expect(toEvalItem({ answer: "no", [field]: "What?" }, ref).text).toBe("What?");
  });

  test("tries the fields in order and skips those without text", () => {
    const value = { text: "5", input: "4", task: "3", question: " ", prompt: ["1"] };
    expect(toEvalItem(value, ref).text).toBe("3");
  });

  test("refuses a branch whose task is not a user's: its question stands elsewhere", () => {
    const branch = { task: "# Policy", task_role: "system" };
    expect(() => toEvalItem(branch, ref)).toThrow(
      "eval.jsonl:3: the task of this branch is not a user's (task_role)",
    );
    expect(toEvalItem({ ...branch, task_role: "user" }, ref).text).toBe("# Policy");
    expect(toEvalItem({ ...branch, prompt: "What?" }, ref).text).toBe("What?");
  });

  test("takes the text from the named field only", () => {
    const value = { prompt: "a", instruction: "b" };
    expect(toEvalItem(value, ref, "instruction").text).toBe("b");
    expect(() => toEvalItem({ prompt: "a" }, ref, "instruction")).toThrow(
      "eval.jsonl:3: an evaluation item without text in the field instruction",
    );
  });

  test("keeps an id that is a string or a number", () => {
    const idOf = (id: unknown) => toEvalItem({ id, text: "x" }, ref).id;
    expect([idOf("q-7"), idOf(0), idOf(""), idOf(null), idOf({})]).toEqual([
      "q-7",
      "0",
      "#3",
      "#3",
      "#3",
    ]);
  });

  test.each([[{}], [{ prompt: "" }], [{ prompt: 7, answer: "x" }], [{ prompt: null }]])(
    "rejects %j and lists the fields that it tried",
    (value) => {
      expect(() => toEvalItem(value, ref)).toThrow(
        new UserError(
          "eval.jsonl:3: an evaluation item without text in the field prompt, question, task, input, text; name its field with --eval-field",
        ),
      );
    },
  );

  test.each([[7], [null], [true], [["a"]]])("rejects %j, which is not an item", (value) => {
    expect(() => toEvalItem(value, ref)).toThrow(
      "eval.jsonl:3: an evaluation item must be a string or an object",
    );
  });

  test("rejects a blank string", () => {
    expect(() => toEvalItem(" \t", ref)).toThrow("eval.jsonl:3: an evaluation item without text");
  });

  test("ignores inherited properties", () => {
    expect(() => toEvalItem({ prompt: "a" }, ref, "constructor")).toThrow(UserError);
  });
});

describe("readEvalItems", () => {
  let cwd = "";
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "rollout-wire-eval-"));
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  function write(name: string, content: string | Uint8Array): string {
    const path = join(cwd, name);
    writeFileSync(path, content);
    return path;
  }

  async function* toStdin(...chunks: string[]) {
    yield* chunks;
  }

  test("by content, regardless of the name", async () => {
    const file = write("items.txt", '{"question": "a"}\n');
    expect(await readEvalItems(file)).toEqual([{ file, line: 1, id: "#1", text: "a" }]);
  });

  test.each(["plain", '{"text": "plain"}', '["plain"]', '"plain"'])(
    "a byte-order mark before %s, and gzip",
    async (content) => {
      const file = write("marked", gzipSync(`\ufeff${content}\r\n`));
      expect((await readEvalItems(file)).map(({ text }) => text)).toEqual(["plain"]);
    },
  );

  test("the named field", async () => {
    const file = write("field.jsonl", '{"prompt": "a", "body": "b"}');
    expect(await readEvalItems(file, { field: "body" })).toMatchObject([{ text: "b" }]);
  });

  test("each source has its own working folder and standard input", async () => {
    write("relative", "a");
    const source = { stdin: toStdin("b\n", "c"), cwd };
    expect(await readEvalItems("relative", {}, source)).toMatchObject([
      { file: "relative", text: "a" },
    ]);
    expect(await readEvalItems("-", {}, source)).toMatchObject([
      { file: "<stdin>", line: 1, text: "b" },
      { file: "<stdin>", line: 2, text: "c" },
    ]);
  });

  test.each([
    ["a missing file", undefined, ": no such file"],
    ["an empty file", "", ": no evaluation items, so nothing to compare tasks with"],
    ["what is not UTF-8", Uint8Array.of(0x0a, 0x63, 0xe9), ":2: not UTF-8: byte 0xe9"],
    ["binary data", Uint8Array.of(0x63, 0), ": binary data or UTF-16 text: convert it to UTF-8"],
  ])("%s is refused in one line that names it", async (_name, content, message) => {
    const file = content === undefined ? join(cwd, "none") : write("bad", content);
    const error: unknown = await readEvalItems(file).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ exitCode: EXIT.unreadable, message: `${file}${message}` });
  });

  test.each(["items.csv", "items.TSV", "items.yaml", "items.yml.gz"])(
    "%s is rejected: compared row by row it would match nothing",
    async (name) => {
      const file = write(name, "id,question\n1,What is it?\n");
      const reading = readEvalItems(file, {}, { stdin: toStdin(), cwd });
      await expect(reading).rejects.toThrow(`${name}: tables and YAML are not supported`);
    },
  );
});
