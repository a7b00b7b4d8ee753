import { expect, test } from "vitest";
import type { FileBlock } from "./file-blocks.js";
import { openPool } from "./open-pool.js";
import { inlinePool } from "./task-pool.js";

/** Blocks of 10 bytes, and whether they were let go. */
class Blocks {
  isClosed = false;

  async *give(count: number): AsyncGenerator<FileBlock> {
    try {
      for (let line = 1; line <= count; line += 1) {
        yield { input: 0, file: "a", block: { line, offset: 0, bytes: new Uint8Array(10) } };
      }
    } finally {
      this.isClosed = true;
    }
  }
}

async function linesOf(blocks: AsyncIterable<FileBlock>): Promise<number[]> {
  const lines: number[] = [];
  for await (const { block } of blocks) lines.push(block.line);
  return lines;
}

test("no threads are started for little to do, and none of it is lost", async () => {
  const options = { workers: 2, worthBytes: 30 };
  const { pool, blocks } = await openPool(new Blocks().give(3), options);
  expect(pool).toBe(inlinePool);
  expect(await linesOf(blocks)).toEqual([1, 2, 3]);
  expect((await openPool(new Blocks().give(0), options)).pool).toBe(inlinePool);
});

test("threads are started as soon as there is more", async () => {
  const { pool, blocks } = await openPool(new Blocks().give(5), { workers: 1, worthBytes: 30 });
  expect(pool).not.toBe(inlinePool);
  await pool.close();
  expect(await linesOf(blocks)).toEqual([1, 2, 3, 4, 5]);
});

test.each([1, 4])("who stops after %i blocks lets all of them go", async (wanted) => {
  const source = new Blocks();
  const { pool, blocks } = await openPool(source.give(9), { workers: 1, worthBytes: 15 });
  await pool.close();
  for (let taken = 0; taken < wanted; taken += 1) await blocks.next();
  await blocks.return(undefined);
  expect(source.isClosed).toBe(true);
});

test("a file that cannot be read is heard of before any thread is started", async () => {
  const failing = (async function* (): AsyncGenerator<FileBlock> {
    yield* new Blocks().give(1);
    throw new Error("unreadable");
  })();
  await expect(openPool(failing, { workers: 1 })).rejects.toThrow("unreadable");
});
