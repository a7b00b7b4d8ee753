import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../cli/testing/run-in-folder.js";
import type { FileBlock } from "./file-blocks.js";
import { RereadableInputs } from "./rereadable-inputs.js";
import { blockOf } from "./testing/block-of.js";

describe("RereadableInputs", () => {
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

  const copyFolder = () => join(folder.path, "copies");

  function createInputs(files: readonly string[], copies?: string): RereadableInputs {
    const source = { cwd: folder.path, stdin: Readable.from([]) };
    return new RereadableInputs(files, source, copies);
  }

  test("what cannot be read twice is copied, decompressed; a plain file is not", async () => {
    folder.write("plain", "a\n");
    folder.write("compressed", gzipSync("b\nc\n"));
    execFileSync("mkfifo", [join(folder.path, "pipe")]);
    const inputs = createInputs(["plain", "compressed", "-", "pipe", "empty"], copyFolder());
    const given = [
      [0, "a\n"],
      [1, "b\n"],
      [1, "c\n"],
      [2, "d\n"],
      [3, "e\n"],
    ] as const;
    const passed: FileBlock[] = [];
    for await (const block of inputs.pass(toBlocks(given))) {
      passed.push(block);
    }
    expect(passed.map(({ block }) => Buffer.from(block.bytes ?? []).toString())).toEqual(
      given.map(([, text]) => text),
    );
    const texts = [...inputs.inputs].map(([input, { file, path }]) => [
      input,
      file,
      path.startsWith(join(folder.path, "copies")),
      path.endsWith("compressed") ? "" : readFileSync(path, "utf8"),
    ]);
    expect(texts).toEqual([
      [0, "plain", false, "a\n"],
      [1, "compressed", true, "b\nc\n"],
      [2, "<stdin>", true, "d\n"],
      [3, "pipe", true, "e\n"],
    ]);
  });

  test("without a folder for copies, only regular files can be read again", async () => {
    folder.write("plain", "a\n");
    folder.write("compressed", gzipSync("b\n"));
    const inputs = createInputs(["compressed", "plain", "-"]);
    const given = [0, 1, 2].map((input) => [input, "a\n"] as const);
    let passed = 0;
    for await (const _block of inputs.pass(toBlocks(given))) passed += 1;
    expect([passed, [...inputs.inputs.keys()]]).toEqual([3, [1]]);
    expect(readdirSync(copyFolder())).toEqual([]);
  });

  test.runIf(process.platform === "linux")("stopping early leaves no copy open", async () => {
    const inputs = createInputs(["-"], copyFolder());
    const before = readdirSync("/proc/self/fd").length;
    for await (const _block of inputs.pass(
      toBlocks([
        [0, "a\n"],
        [0, "b\n"],
      ]),
    ))
      break;
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  });
});
