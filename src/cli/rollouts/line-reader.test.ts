import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT, UserError } from "../../user-error.js";
import { createTestFolder, type TestFolder } from "../testing/run-in-folder.js";
import type { LinePosition } from "./line-position.js";
import { LineReader } from "./line-reader.js";

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

/** Where `text` stood when the file was read first. */
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

test("lines by their places, in any order", () => {
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

describe("what is no longer as it was, by the name that the user knows", () => {
  test.each([
    [
      "other bytes",
      () => writeFileSync(join(folder.path, "data"), "uno\n"),
      /^named:5: changed while it was read$/,
    ],
    [
      "fewer bytes",
      () => writeFileSync(join(folder.path, "data"), "on"),
      /^named: became shorter while it was read$/,
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

test("more bytes at the end are none of its business", () => {
  folder.write("data", "one\nand more");
  expect(Buffer.from(reader.read(place("one", 0)).stored).toString()).toBe("one");
});

test("an input that nobody has is a bug", () => {
  expect(errorOf({ ...place("one", 0), input: 3 })).toBeInstanceOf(RangeError);
});

test.runIf(process.platform === "linux")("closes what it opened", () => {
  folder.write("data", "one\n");
  const before = readdirSync("/proc/self/fd").length;
  reader.read(place("one", 0));
  reader.read(place("one", 0));
  expect(readdirSync("/proc/self/fd").length).toBe(before + 1);
  reader.close();
  expect(readdirSync("/proc/self/fd").length).toBe(before);
});

test.runIf(process.platform === "linux")("of many inputs few are open at a time", () => {
  const before = readdirSync("/proc/self/fd").length;
  const inputs = Array.from({ length: 100 }, (_, input) => folder.write(`many-${input}`, "line\n"));
  const files = inputs.map((file) => ({ file, path: join(folder.path, file) }));
  const many = new LineReader(new Map(files.entries()));
  const checksum = crc32(Buffer.from("line"));
  for (const input of inputs.keys()) {
    many.read({ hash: 0, input, offset: 0, length: 4, line: 1, checksum });
  }
  expect(readdirSync("/proc/self/fd").length - before).toBeLessThanOrEqual(32);
  many.close();
});
