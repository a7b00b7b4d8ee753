import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { readRecords } from "./read-records.js";
import { parseLine, type RecordLine, toRecordLine } from "./reader.js";
import type { RecordInput } from "./record-input.js";

describe("parseLine", () => {
  test("a JSON object", () => {
    expect(parseLine(Buffer.from('{"a": "día"}'))).toEqual({
      text: '{"a": "día"}',
      value: { a: "día" },
    });
  });

  test.each<[string, number, string]>([
    ["[]", 1, "must be an object, is an empty array"],
    ["  7", 3, "must be an object, is 7"],
    ["null", 1, "must be an object, is null"],
    ['"x"', 1, 'must be an object, is "x"'],
  ])("JSON that is no object: %s", (text, column, message) => {
    const cause = "must be an object";
    expect(parseLine(Buffer.from(text))).toEqual({ fault: { id: "type", column, message, cause } });
  });

  test("not JSON", () => {
    expect(parseLine(Buffer.from('{"a": NaN}'))).toEqual({
      fault: { id: "json", column: 7, message: 'not JSON: unexpected NaN in "a"' },
    });
  });

  test.each<[string, number[], number, string]>([
    ["a stray byte", [...Buffer.from('{"á": "'), 0xff, 0x22, 0x7d], 8, "0xff"],
    ["a genuine U+FFFD before it", [...Buffer.from('{"\ufffd": "'), 0xc3, 0x28], 8, "0xc3"],
    ["a sequence cut off", [...Buffer.from('{"a'), 0xe2, 0x82], 4, "0xe2"],
    ["an encoded surrogate", [...Buffer.from('"'), 0xed, 0xa0, 0x80], 2, "0xed"],
  ])("not UTF-8: %s", (_name, bytes, column, byte) => {
    expect(parseLine(Buffer.from(bytes))).toEqual({
      fault: { id: "json", column, message: `not UTF-8: byte ${byte}`, cause: "not UTF-8" },
    });
  });
});

describe("toRecordLine", () => {
  function parse(text: string | undefined) {
    const bytes = text === undefined ? undefined : Buffer.from(text);
    return toRecordLine("a", { line: 3, offset: 7, stored: Buffer.alloc(0), bytes });
  }

  test("a record with its text, and the length of its line in bytes", () => {
    const text = '{"a": "é"}';
    expect(parse(text)).toEqual({ file: "a", line: 3, byteLength: 11, text, value: { a: "é" } });
  });

  test("a line without a record", () => {
    expect(parse("[1]")).toMatchObject({
      file: "a",
      line: 3,
      byteLength: 3,
      fault: { id: "type", column: 1, message: "must be an object, is an array" },
    });
  });

  test("a line that is too long to be a string", () => {
    expect(parse(undefined)).toEqual({
      file: "a",
      line: 3,
      byteLength: 0,
      fault: {
        id: "json",
        column: 1,
        message: expect.stringMatching(
          /^line of more than [\d,]+ bytes: exceeds the maximum string length$/,
        ),
      },
    });
  });
});

describe("readRecords", () => {
  let cwd = "";
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "rollout-wire-records-"));
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  async function* toStdin(...chunks: (Uint8Array | string)[]) {
    yield* chunks;
  }

  async function read(input: RecordInput, stdin = toStdin()): Promise<RecordLine[]> {
    const lines: RecordLine[] = [];
    for await (const batch of readRecords(input, { stdin, cwd })) lines.push(...batch);
    return lines;
  }

  test("a single path", async () => {
    const file = write("single.jsonl", "{}\n");
    expect(await read(file)).toMatchObject([{ file, line: 1, value: {} }]);
  });

  test.each<[string, () => RecordInput]>([
    ["an async iterable of text", () => toStdin('{"a":', "1}\n")],
    ["a Web Stream of bytes", () => new Blob(['{"a":1}\n']).stream()],
    ["a Blob", () => new Blob(['{"a":1}\n'])],
    ["a response, compressed", () => new Response(gzipSync('{"a":1}\n'))],
  ])("%s", async (_, open) => {
    expect(await read(open())).toMatchObject([{ file: "<stdin>", line: 1, value: { a: 1 } }]);
  });

  test("a folder and a pattern", async () => {
    mkdirSync(join(cwd, "runs"));
    write("runs/a.jsonl", '{"a":1}\n');
    write("runs/b.json", '[{"b":1},\n{"b":2}]');
    const values = (lines: readonly RecordLine[]) =>
      lines.map((line) => "value" in line && line.value);
    expect(values(await read("runs"))).toEqual([{ a: 1 }]);
    expect(values(await read("runs/*"))).toEqual([{ a: 1 }, { b: 1 }, { b: 2 }]);
  });

  test("the URL of a file", async () => {
    const url = pathToFileURL(join(cwd, write("a b.jsonl", "{}\n")));
    expect(await read(url)).toMatchObject([{ file: join(cwd, "a b.jsonl"), value: {} }]);
  });

  test.each([
    [undefined, "[object Undefined]"],
    [null, "[object Null]"],
    [7, "[object Number]"],
    [{}, "[object Object]"],
    [new URL("https://example.org/a.jsonl"), "https://example.org/a.jsonl"],
  ])("what is no input, %#", async (input, name) => {
    const error = await read(input as RecordInput).catch((thrown: unknown) => thrown);
    expect(error).toEqual(
      new TypeError(
        `records are read from the path or the URL of a file, paths, a Blob, a Response or a stream, not from ${name}`,
      ),
    );
  });

  async function readError(file: string, stdin = toStdin()): Promise<string> {
    const error = await read([file], stdin).catch((thrown: unknown) => thrown);
    if (!(error instanceof UserError)) throw new Error(`no UserError: ${error}`);
    expect(error.exitCode).toBe(EXIT.unreadable);
    return error.message;
  }

  function write(name: string, content: Uint8Array | string): string {
    writeFileSync(join(cwd, name), content);
    return name;
  }

  describe("lines of several files", () => {
    test("records and faults with their positions", async () => {
      const a = write("a.jsonl", '\ufeff{"a":1}\r\n\r\n[]\r\n');
      const b = write("b.jsonl", '{"b":2}');
      expect(await read([a, "-", b], toStdin("nul", "l\n"))).toMatchObject([
        { file: "a.jsonl", line: 1, byteLength: 7, text: '{"a":1}', value: { a: 1 } },
        {
          file: "a.jsonl",
          line: 3,
          byteLength: 2,
          fault: { id: "type", column: 1, message: "must be an object, is an empty array" },
        },
        {
          file: "<stdin>",
          line: 1,
          byteLength: 4,
          fault: { id: "type", column: 1, message: "must be an object, is null" },
        },
        { file: "b.jsonl", line: 1, byteLength: 7, text: '{"b":2}', value: { b: 2 } },
      ]);
    });

    test("gzip by content, several members, from a file and byte by byte from a pipe", async () => {
      const compressed = Buffer.concat([gzipSync('{"a":1}\n{"a"'), gzipSync(":2}\n")]);
      const file = write("compressed.jsonl", compressed);
      const bytes = [...compressed].map((byte) => Buffer.from([byte]));
      for (const lines of [await read([file]), await read(["-"], toStdin(...bytes))]) {
        expect(lines.map((line) => "value" in line && line.value)).toEqual([{ a: 1 }, { a: 2 }]);
      }
    });

    test("an empty file and a pipe of one byte", async () => {
      expect(await read([write("empty.jsonl", "")])).toEqual([]);
      expect((await read(["-"], toStdin("{"))).length).toBe(1);
    });
  });

  describe("an unreadable input is one line and exit code 3", () => {
    test("missing", async () => {
      expect(await readError("none.jsonl")).toBe("none.jsonl: no such file");
      const file = write("file", "");
      expect(await readError(`${file}/x`)).toBe("file/x: no such file");
    });

    test("a folder without records", async () => {
      mkdirSync(join(cwd, "folder"));
      expect(await readError("folder")).toMatch(/^folder: contains no \*\*\/\*\.jsonl, /);
    });

    test("binary, also inside gzip and on standard input", async () => {
      const reason = "binary data or UTF-16 text: convert it to UTF-8";
      const binary = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]);
      expect(await readError(write("a.out", binary))).toBe(`a.out: ${reason}`);
      expect(await readError(write("b.gz", gzipSync(binary)))).toBe(`b.gz: ${reason}`);
      expect(await readError("-", toStdin(binary))).toBe(`<stdin>: ${reason}`);
      expect(await readError(write("utf16", Buffer.from("{}", "utf16le")))).toBe(
        `utf16: ${reason}`,
      );
    });

    test("damaged gzip: cut off, and changed", async () => {
      const compressed = gzipSync('{"a":1}\n'.repeat(100));
      expect(await readError(write("cut.gz", compressed.subarray(0, -5)))).toBe(
        "cut.gz: damaged gzip data: unexpected end of file",
      );
      const changed = Buffer.from(compressed);
      changed.fill(0xff, 12, 20);
      expect(await readError(write("changed.gz", changed))).toMatch(
        /^changed\.gz: damaged gzip data: /,
      );
    });

    test("an internal error is not reported as an unreadable file", async () => {
      const bug = new TypeError("a bug");
      const stdin = (async function* (): AsyncGenerator<string> {
        yield "{}\n{}";
        throw bug;
      })();
      await expect(read(["-"], stdin)).rejects.toBe(bug);
    });
  });
});
