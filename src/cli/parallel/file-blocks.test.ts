import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { UserError } from "../../user-error.js";
import { createTestFolder } from "../testing/run-in-folder.js";
import { type FileBlocksOptions, fileBlocks } from "./file-blocks.js";

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
  folder.write("packed", gzipSync("c\n"));
  const files = ["a", "empty", "packed", "-"];
  expect(await read(files)).toEqual(["0 a:1 a\nb", "2 packed:1 c\n", "3 <stdin>:1 ddd\ne\n"]);
  expect((await read(files, { blockBytes: 1 })).slice(-2)).toEqual([
    "3 <stdin>:1 ddd\n",
    "3 <stdin>:2 e\n",
  ]);
});

test("what is stored is told by its input", async () => {
  const packed = gzipSync("c\n");
  folder.write("packed", packed);
  const stored = [0, 0];
  await read(["-", "packed"], {
    onStored(input, chunk) {
      stored[input] = (stored[input] ?? 0) + chunk.length;
    },
  });
  expect(stored).toEqual([6, packed.length]);
});

test("a file that is not there is told when its turn comes", async () => {
  folder.write("a", "a\n");
  const blocks = fileBlocks(["a", "none"], { cwd: folder.path, stdin: Readable.from([]) });
  expect((await blocks.next()).value?.file).toBe("a");
  await expect(blocks.next()).rejects.toThrow(UserError);
});
