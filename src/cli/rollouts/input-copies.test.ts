import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FileBlock } from "../parallel/file-blocks.js";
import { createTestFolder, type TestFolder } from "../testing/run-in-folder.js";
import { InputCopies } from "./input-copies.js";
import { blockOf } from "./testing/block-of.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  mkdirSync(join(folder.path, "copies"));
});
afterEach(() => folder.remove());

async function* toBlocks(blocks: readonly (readonly [input: number, text: string])[]) {
  const offsets = new Map<number, number>();
  for (const [input, text] of blocks) {
    const offset = offsets.get(input) ?? 0;
    offsets.set(input, offset + Buffer.byteLength(text));
    const block = { ...blockOf(text), offset };
    yield { input, file: `file ${input}`, block } satisfies FileBlock;
  }
}

function createCopies(files: readonly string[]): InputCopies {
  const source = { cwd: folder.path, stdin: Readable.from([]) };
  return new InputCopies(files, source, join(folder.path, "copies"));
}

test("what cannot be read twice is copied, unpacked; a plain file is not", async () => {
  folder.write("plain", "a\n");
  folder.write("packed", gzipSync("b\nc\n"));
  execFileSync("mkfifo", [join(folder.path, "pipe")]);
  const copies = createCopies(["plain", "packed", "-", "pipe", "empty"]);
  const given = [
    [0, "a\n"],
    [1, "b\n"],
    [1, "c\n"],
    [2, "d\n"],
    [3, "e\n"],
  ] as const;
  const passed: FileBlock[] = [];
  for await (const block of copies.pass(toBlocks(given))) {
    passed.push(block);
  }
  expect(passed.map(({ block }) => Buffer.from(block.bytes ?? []).toString())).toEqual(
    given.map(([, text]) => text),
  );
  const texts = [...copies.inputs].map(([input, { file, path }]) => [
    input,
    file,
    path.startsWith(join(folder.path, "copies")),
    path.endsWith("packed") ? "" : readFileSync(path, "utf8"),
  ]);
  expect(texts).toEqual([
    [0, "plain", false, "a\n"],
    [1, "packed", true, "b\nc\n"],
    [2, "<stdin>", true, "d\n"],
    [3, "pipe", true, "e\n"],
  ]);
});

test.runIf(process.platform === "linux")("who stops early leaves no copy open", async () => {
  const copies = createCopies(["-"]);
  const before = readdirSync("/proc/self/fd").length;
  for await (const _block of copies.pass(
    toBlocks([
      [0, "a\n"],
      [0, "b\n"],
    ]),
  ))
    break;
  expect(readdirSync("/proc/self/fd").length).toBe(before);
});
