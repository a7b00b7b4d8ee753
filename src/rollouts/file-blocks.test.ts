import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../cli/testing/run-in-folder.js";
import { UserError } from "../user-error.js";
import { type FileBlocksOptions, fileBlocks, StoredBytes } from "./file-blocks.js";

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

  test("blocks of every file, which begins anew, in the order of the files", async () => {
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

  test("what is stored is told by its input", async () => {
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

  test("a file that is not there is told when its turn comes", async () => {
    folder.write("a", "a\n");
    const blocks = fileBlocks(["a", "none"], { cwd: folder.path, stdin: Readable.from([]) });
    expect((await blocks.next()).value?.file).toBe("a");
    await expect(blocks.next()).rejects.toThrow(UserError);
  });
});

describe("StoredBytes", () => {
  test("bytes of each input by their names, those of which nothing came too", () => {
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

  test("hashes, if asked, as often as one likes", () => {
    const stored = new StoredBytes(["a"], true);
    stored.add(0, Buffer.from("one"));
    stored.add(0, Buffer.from("two"));
    const hash = `sha256:${createHash("sha256").update("onetwo").digest("hex")}`;
    expect(stored.inputs()).toEqual([{ file: "a", bytes: 6, hash }]);
    expect(stored.inputs()).toEqual([{ file: "a", bytes: 6, hash }]);
  });
});
