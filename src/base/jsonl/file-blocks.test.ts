import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../testing/run-in-folder.js";
import { UserError } from "../user-error.js";
import { FileBlocks, type FileBlocksOptions } from "./file-blocks.js";

describe("the blocks of files", () => {
  const folder = createTestFolder();
  afterAll(() => folder.remove());

  async function read(files: readonly string[], options?: FileBlocksOptions) {
    const source = { cwd: folder.path, stdin: Readable.from(["ddd\n", "e\n"]) };
    const blocks: string[] = [];
    for await (const { input, file, block } of new FileBlocks(files, source, options).read()) {
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
    const source = { cwd: folder.path, stdin: Readable.from([]) };
    const blocks = new FileBlocks(["a", "none"], source).read();
    expect((await blocks.next()).value?.file).toBe("a");
    await expect(blocks.next()).rejects.toThrow(UserError);
  });
});

describe("what was read", () => {
  const folder = createTestFolder();
  afterAll(() => folder.remove());

  /** Reads `a` (eight bytes), standard input (three) and `b` (none). */
  async function readInputs(hashes: boolean) {
    folder.write("a", "one\ntwo\n");
    folder.write("b", "");
    const source = { cwd: folder.path, stdin: Readable.from(["six"]) };
    const blocks = new FileBlocks(["a", "-", "b"], source, { hashes });
    for await (const _block of blocks.read());
    return blocks;
  }

  test("bytes of each input by name, including empty inputs", async () => {
    expect((await readInputs(false)).inputs).toEqual([
      { file: "a", bytes: 8, hash: undefined },
      { file: "<stdin>", bytes: 3, hash: undefined },
      { file: "b", bytes: 0, hash: undefined },
    ]);
  });

  test("hashes on request, any number of times", async () => {
    const blocks = await readInputs(true);
    const hash = `sha256:${createHash("sha256").update("one\ntwo\n").digest("hex")}`;
    expect(blocks.inputs[0]).toEqual({ file: "a", bytes: 8, hash });
    expect(blocks.inputs[0]).toEqual({ file: "a", bytes: 8, hash });
  });
});

describe("inputs that can be read again", () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = createTestFolder();
    mkdirSync(join(folder.path, "copies"));
  });
  afterEach(() => folder.remove());

  const copyFolder = () => join(folder.path, "copies");

  function createBlocks(files: readonly string[], stdin: string[], copies?: string): FileBlocks {
    const source = { cwd: folder.path, stdin: Readable.from(stdin) };
    return new FileBlocks(files, source, { copies, blockBytes: 1 });
  }

  async function readAll(blocks: FileBlocks): Promise<string[]> {
    const texts: string[] = [];
    for await (const { input, block } of blocks.read()) {
      texts.push(`${input} ${Buffer.from(block.bytes ?? []).toString()}`);
    }
    return texts;
  }

  test("those that cannot be read twice are decompressed and copied; a plain file is not", async () => {
    folder.write("plain", "a\n");
    folder.write("compressed", gzipSync("b\nc\n"));
    folder.write("empty", "");
    execFileSync("mkfifo", [join(folder.path, "pipe")]);
    const files = ["plain", "compressed", "-", "pipe", "empty"];
    const blocks = createBlocks(files, ["dddd\n", "d\n"], copyFolder());
    const writer = spawn("sh", ["-c", "echo e > pipe"], { cwd: folder.path });
    expect((await readAll(blocks)).join("")).toBe("0 a\n1 b\nc\n2 dddd\n2 d\n3 e\n");
    writer.kill();
    const texts = [...blocks.rereadable].map(([input, { file, path }]) => [
      input,
      file,
      path.startsWith(copyFolder()),
      readFileSync(path, "utf8"),
    ]);
    expect(texts).toEqual([
      [0, "plain", false, "a\n"],
      [1, "compressed", true, "b\nc\n"],
      [2, "<stdin>", true, "dddd\nd\n"],
      [3, "pipe", true, "e\n"],
    ]);
  });

  test("without a folder for copies, only regular files can be read again", async () => {
    folder.write("plain", "a\n");
    folder.write("compressed", gzipSync("b\n"));
    const blocks = createBlocks(["compressed", "plain", "-"], ["c\n"]);
    expect(await readAll(blocks)).toHaveLength(3);
    expect([...blocks.rereadable.keys()]).toEqual([1]);
    expect(readdirSync(copyFolder())).toEqual([]);
  });

  test.runIf(process.platform === "linux")("stopping early closes the copies", async () => {
    const blocks = createBlocks(["-"], ["a\n", "b\n"], copyFolder());
    const before = readdirSync("/proc/self/fd").length;
    for await (const _block of blocks.read()) break;
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  });
});
