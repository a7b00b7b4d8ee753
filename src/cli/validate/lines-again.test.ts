import { rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { UserError } from "../../user-error.js";
import { createTestFolder } from "../testing/run-in-folder.js";
import { LinesAgain } from "./lines-again.js";

const folder = createTestFolder();
afterAll(() => folder.remove());
const source = { cwd: folder.path, stdin: Readable.from([]) };

const FIRST = '{"task":"é"}';
const SECOND = '{"task":"b"}\r';
const TEXT = `${FIRST}\n${SECOND}\n`;
const place = {
  input: 0,
  line: 2,
  offset: Buffer.byteLength(FIRST) + 1,
  length: Buffer.byteLength(SECOND),
};

test("a line of a plain file comes back with its text, without its line break", async () => {
  const lines = new LinesAgain([folder.write("plain", TEXT)], source);
  expect(await lines.find(place, true)).toMatchObject({
    file: "plain",
    line: 2,
    text: SECOND.trimEnd(),
    value: { task: "b" },
  });
});

test("a byte-order mark at the start of the file is no part of the first line", async () => {
  const lines = new LinesAgain([folder.write("marked", `\ufeff${TEXT}`)], source);
  const first = { input: 0, line: 1, offset: 0, length: Buffer.byteLength(`\ufeff${FIRST}`) };
  expect(await lines.find(first, true)).toMatchObject({ line: 1, text: FIRST });
});

test("one that is not wanted is not read, and one that cannot be had again has its place alone", async () => {
  folder.write("packed", gzipSync(TEXT));
  const lines = new LinesAgain(["gone", "-", "packed"], source);
  for (const [input, file, wanted] of [
    [0, "gone", false],
    [1, "<stdin>", true],
    [2, "packed", true],
  ] as const) {
    const line = await lines.find({ ...place, input }, wanted);
    expect(line).toMatchObject({ file, line: 2, fault: { column: 1 } });
    expect(line).not.toHaveProperty("text");
  }
});

test("a file that went since is a mistake of the user", async () => {
  const file = folder.write("went", TEXT);
  const lines = new LinesAgain([file], source);
  await lines.find(place, true);
  rmSync(join(folder.path, file));
  await expect(lines.find(place, true)).rejects.toThrow(UserError);
});
