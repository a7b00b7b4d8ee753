import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestFolder } from "../testing/run-in-folder.js";
import { EXIT, UserError } from "../user-error.js";
import { ScratchFile } from "./scratch-file.js";

describe("ScratchFile", () => {
  const folder = createTestFolder();
  afterAll(() => folder.remove());

  let file: ScratchFile;
  let count = 0;
  beforeEach(() => {
    count += 1;
    file = new ScratchFile(join(folder.path, `scratch-${count}`));
  });
  afterEach(() => file.close());

  function textOf(): string {
    // Copied, because each chunk overwrites the previous one.
    return Buffer.concat([...file.read()].map((chunk) => Uint8Array.from(chunk))).toString();
  }

  test("reads what was appended, in order", () => {
    expect([textOf(), file.length]).toEqual(["", 0]);
    file.write(Buffer.from("one"));
    file.write(new Uint8Array());
    file.write(Buffer.from("two"));
    expect([textOf(), file.length]).toEqual(["onetwo", 6]);
  });

  test("reads a part, and no more than there is", () => {
    file.write(Buffer.from("0123456789"));
    const bytes = Buffer.alloc(4);
    expect([file.readAt(3, bytes), bytes.toString()]).toEqual([4, "3456"]);
    expect([file.readAt(8, bytes), bytes.toString("utf8", 0, 2)]).toEqual([2, "89"]);
    expect(file.readAt(10, bytes)).toBe(0);
  });

  test("more than one chunk", () => {
    const large = Buffer.alloc(2.5 * 2 ** 20, "abcdefg");
    file.write(large);
    let length = 0;
    for (const chunk of file.read()) {
      expect(large.subarray(length, length + chunk.length).equals(chunk)).toBe(true);
      length += chunk.length;
    }
    expect(length).toBe(large.length);
  });

  test("can be used again after clearing", () => {
    file.write(Buffer.from("a long text"));
    file.clear();
    expect([textOf(), file.length]).toEqual(["", 0]);
    file.write(Buffer.from("short"));
    expect([textOf(), file.length]).toEqual(["short", 5]);
  });

  test("a path that cannot be created is a UserError; nothing is overwritten", () => {
    writeFileSync(join(folder.path, "there"), "");
    for (const [name, code] of [
      ["none/scratch", "its folder"],
      ["there", "a file is where"],
    ] as const) {
      const path = join(folder.path, name);
      const create = () => new ScratchFile(path);
      expect(create).toThrow(UserError);
      expect(create).toThrow(
        expect.objectContaining({
          exitCode: EXIT.unreadable,
          message: expect.stringMatching(new RegExp(`${name}: cannot be written: ${code}`)),
        }),
      );
    }
  });
});
