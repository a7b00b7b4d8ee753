import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import type { LinePosition } from "./positions.js";
import { LineReader, parseStored, type StoredLine } from "./reread.js";
import { builderOf, exportPlan } from "./testing/export-plan.js";

describe("LineReader", () => {
  let folder: TestFolder;
  let reader: LineReader;
  beforeEach(() => {
    folder = createTestFolder();
    const path = join(folder.path, "data");
    reader = new LineReader(new Map([[2, { file: "named", path }]]));
  });
  afterEach(() => {
    reader.close();
    folder.remove();
  });

  /** Position of `text` at the first read. */
  function place(text: string, offset: number): LinePosition {
    const { length } = Buffer.from(text);
    return { hash: 0, input: 2, offset, length, line: 5, checksum: crc32(text) };
  }

  function errorOf(position: LinePosition): unknown {
    try {
      reader.read(position);
    } catch (error) {
      return error;
    }
    throw new Error("nothing was thrown");
  }

  test("lines by position, in any order", () => {
    folder.write("data", "one\nzwölf\n");
    const [one, two] = [place("one", 0), place("zwölf", 4)];
    for (const [position, text] of [
      [two, "zwölf"],
      [one, "one"],
      [two, "zwölf"],
    ] as const) {
      const { stored, ...rest } = reader.read(position);
      expect(Buffer.from(stored).toString()).toBe(text);
      expect(rest).toEqual({ file: "named", position });
    }
  });

  describe("changes are reported under the name that the user knows", () => {
    test.each([
      [
        "other bytes",
        () => writeFileSync(join(folder.path, "data"), "uno\n"),
        /^named:5: changed while being read$/,
      ],
      [
        "fewer bytes",
        () => writeFileSync(join(folder.path, "data"), "on"),
        /^named: was truncated while being read$/,
      ],
      ["no file", () => rmSync(join(folder.path, "data")), /^named: no such file$/],
      [
        "a directory",
        () => {
          rmSync(join(folder.path, "data"));
          mkdirSync(join(folder.path, "data"));
        },
        /^named: is a directory/,
      ],
    ])("%s", (_, change, message) => {
      folder.write("data", "one\n");
      change();
      const error = errorOf(place("one", 0));
      expect(error).toBeInstanceOf(UserError);
      expect(error).toMatchObject({
        exitCode: EXIT.unreadable,
        message: expect.stringMatching(message),
      });
    });
  });

  test("bytes appended to the file do not matter", () => {
    folder.write("data", "one\nand more");
    expect(Buffer.from(reader.read(place("one", 0)).stored).toString()).toBe("one");
  });

  test("an unknown input is a bug", () => {
    expect(errorOf({ ...place("one", 0), input: 3 })).toBeInstanceOf(RangeError);
  });

  test.runIf(process.platform === "linux")("closes the files it opened", () => {
    folder.write("data", "one\n");
    const before = readdirSync("/proc/self/fd").length;
    reader.read(place("one", 0));
    reader.read(place("one", 0));
    expect(readdirSync("/proc/self/fd").length).toBe(before + 1);
    reader.close();
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  });

  test.runIf(process.platform === "linux")("of many inputs, only a few are open at a time", () => {
    const before = readdirSync("/proc/self/fd").length;
    const inputs = Array.from({ length: 100 }, (_, input) =>
      folder.write(`many-${input}`, "line\n"),
    );
    const files = inputs.map((file) => ({ file, path: join(folder.path, file) }));
    const many = new LineReader(new Map(files.entries()));
    const checksum = crc32(Buffer.from("line"));
    for (const input of inputs.keys()) {
      many.read({ hash: 0, input, offset: 0, length: 4, line: 1, checksum });
    }
    expect(readdirSync("/proc/self/fd").length - before).toBeLessThanOrEqual(32);
    many.close();
  });
});

describe("BranchLine", () => {
  function parse(stored: string, offset = 0) {
    const bytes = Uint8Array.from(Buffer.from(stored));
    const position = { hash: 0, input: 0, offset, length: bytes.length || 1, line: 3, checksum: 0 };
    const line: StoredLine = { file: "a", position, stored: bytes };
    const lost = { ...line, position: { ...position, length: 0 }, stored: new Uint8Array() };
    const lines = parseStored([line, lost], builderOf(exportPlan));
    expect(lines.lost).toBe(1);
    return lines.branches.map(({ branch, record }) => ({ branch, record }));
  }

  const text = JSON.stringify(createBranch());

  test("the branch, and its line with text", () => {
    // What is not exported is not parsed.
    const { session_id: _, ...branch } = createBranch();
    const record = { file: "a", line: 3, byteLength: text.length, value: branch };
    const parsed = parse(text);
    expect(parsed).toMatchObject([{ branch, record }]);
    expect(parsed.map((each) => each.record.text)).toEqual([text]);
  });

  test("neighbouring bytes in the file do not matter", () => {
    expect(parse(`${text}\r`, 7)).toEqual(parse(text));
    expect(parse(`\ufeff${text}\r`)).toEqual(parse(text));
  });

  test.each(["", "NaN", "{}", `\ufeff${text}`])(
    "a line without a branch is a bug: %j",
    (stored) => {
      expect(() => parse(stored, 7)).toThrow(TypeError);
    },
  );
});

describe("readRecord", () => {
  let folder: TestFolder;
  let reader: LineReader;
  beforeEach(() => {
    folder = createTestFolder();
    reader = new LineReader(new Map([[0, { file: "in", path: join(folder.path, "in") }]]));
  });
  afterEach(() => {
    reader.close();
    folder.remove();
  });

  const FIRST = '{"task":"é"}';
  const SECOND = '{"task":"b"}\r';
  const TEXT = `${FIRST}\n${SECOND}\n`;
  const place = {
    input: 0,
    line: 2,
    offset: Buffer.byteLength(FIRST) + 1,
    length: Buffer.byteLength(SECOND),
  };

  test("a line is returned with its text, without its line break", () => {
    folder.write("in", TEXT);
    expect(reader.readRecord("in", place)).toMatchObject({
      file: "in",
      line: 2,
      text: SECOND.trimEnd(),
      value: { task: "b" },
    });
  });

  test("a byte-order mark at the start of the file is not part of the first line", () => {
    folder.write("in", `\ufeff${TEXT}`);
    const first = { input: 0, line: 1, offset: 0, length: Buffer.byteLength(`\ufeff${FIRST}`) };
    expect(reader.readRecord("in", first)).toMatchObject({ line: 1, text: FIRST });
  });

  test("a line of an input that cannot be read again has only its position", () => {
    const line = reader.readRecord("<stdin>", { ...place, input: 1 });
    expect(line).toMatchObject({ file: "<stdin>", line: 2, fault: { column: 1 } });
    expect(line).not.toHaveProperty("text");
  });

  test("a missing file is a UserError", () => {
    folder.write("in", TEXT);
    reader.readRecord("in", place);
    reader.close();
    rmSync(join(folder.path, "in"));
    expect(() => reader.readRecord("in", place)).toThrow(UserError);
  });
});
