import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { blockOf } from "../../rollouts/pipeline/testing/block-of.js";
import { createTestFolder, type TestFolder } from "../testing/run-in-folder.js";
import { UserError } from "../user-error.js";
import {
  type FileBlock,
  type FileBlocksOptions,
  fileBlocks,
  RereadableInputs,
  StoredBytes,
} from "./file-blocks.js";

describe("fileBlocks", () => {
  const folder = createTestFolder();
  afterAll(() => folder.remove());

  async function read(files: readonly string[], options?: FileBlocksOptions) {
    const source = { cwd: folder.path, stdin: Readable.from(["ddd\n", "e\n"]) };
    const blocks: string[] = [];
    for await (const { input, file, block } of fileBlocks(files, source, options)) {
      const text = Buffer.from(block.bytes ?? []).toString();
      blocks.push(`${input} ${file}:${block.line} ${text}`);
    }
    return blocks;
  }

  test("blocks of all files in order, with lines and offsets starting anew in each", async () => {
    folder.write("a", "a\nb");
    folder.write("empty", "");
    folder.write("compressed", gzipSync("c\n"));
    const files = ["a", "empty", "compressed", "-"];
    expect(await read(files)).toEqual(["0 a:1 a\nb", "2 compressed:1 c\n", "3 <stdin>:1 ddd\ne\n"]);
    expect((await read(files, { blockBytes: 1 })).slice(-2)).toEqual([
      "3 <stdin>:1 ddd\n",
      "3 <stdin>:2 e\n",
    ]);
  });

  test("onStored receives the bytes of each input", async () => {
    const compressed = gzipSync("c\n");
    folder.write("compressed", compressed);
    const stored = [0, 0];
    await read(["-", "compressed"], {
      onStored(input, chunk) {
        stored[input] = (stored[input] ?? 0) + chunk.length;
      },
    });
    expect(stored).toEqual([6, compressed.length]);
  });

  test("a missing file is reported when it is reached", async () => {
    folder.write("a", "a\n");
    const blocks = fileBlocks(["a", "none"], { cwd: folder.path, stdin: Readable.from([]) });
    expect((await blocks.next()).value?.file).toBe("a");
    await expect(blocks.next()).rejects.toThrow(UserError);
  });
});

describe("StoredBytes", () => {
  test("bytes of each input by name, including empty inputs", () => {
    const stored = new StoredBytes(["a", "-", "b"], false);
    stored.add(0, Buffer.from("one"));
    stored.add(1, Buffer.from("two"));
    stored.add(0, Buffer.from("three"));
    expect(stored.inputs()).toEqual([
      { file: "a", bytes: 8, hash: undefined },
      { file: "<stdin>", bytes: 3, hash: undefined },
      { file: "b", bytes: 0, hash: undefined },
    ]);
  });

  test("hashes on request, any number of times", () => {
    const stored = new StoredBytes(["a"], true);
    stored.add(0, Buffer.from("one"));
    stored.add(0, Buffer.from("two"));
    const hash = `sha256:${createHash("sha256").update("onetwo").digest("hex")}`;
    expect(stored.inputs()).toEqual([{ file: "a", bytes: 6, hash }]);
    expect(stored.inputs()).toEqual([{ file: "a", bytes: 6, hash }]);
  });
});

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

  test("inputs that cannot be read twice are decompressed and copied; a plain file is not", async () => {
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

  test.runIf(process.platform === "linux")("stopping early closes the copies", async () => {
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
