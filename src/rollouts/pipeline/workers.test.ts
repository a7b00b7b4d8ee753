import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileBlock } from "../../base/jsonl/file-blocks.js";
import { inlinePool, mapOrdered, openPool } from "./workers.js";

describe("openPool", () => {
  /** Blocks of 10 bytes, and whether they were released. */
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

  test("no threads are started for a small input, and all of it is yielded", async () => {
    const options = { workers: 2, blockBytes: 30 };
    const { pool, blocks } = await openPool(new Blocks().give(3), options);
    expect(pool).toBe(inlinePool);
    expect(await linesOf(blocks)).toEqual([1, 2, 3]);
    expect((await openPool(new Blocks().give(0), options)).pool).toBe(inlinePool);
  });

  test.each([1, 2])("a larger input: %i workers; one needs no thread", async (workers) => {
    const { pool, blocks } = await openPool(new Blocks().give(5), { workers, blockBytes: 30 });
    expect(pool === inlinePool).toBe(workers === 1);
    await pool.close();
    expect(await linesOf(blocks)).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([1, 4])("stopping after %i blocks releases all of them", async (wanted) => {
    const source = new Blocks();
    const { pool, blocks } = await openPool(source.give(9), { workers: 2, blockBytes: 15 });
    await pool.close();
    for (let taken = 0; taken < wanted; taken += 1) await blocks.next();
    await blocks.return(undefined);
    expect(source.isClosed).toBe(true);
  });

  test("an unreadable file is reported before any thread is started", async () => {
    const failing = (async function* (): AsyncGenerator<FileBlock> {
      yield* new Blocks().give(1);
      throw new Error("unreadable");
    })();
    await expect(openPool(failing, { workers: 1 })).rejects.toThrow("unreadable");
  });
});

describe("mapOrdered", () => {
  /** Promises that a test settles on demand. */
  class Jobs {
    readonly started: number[] = [];
    readonly #settle = new Map<number, { resolve(): void; reject(error: Error): void }>();

    readonly run = (job: number): Promise<string> => {
      this.started.push(job);
      return new Promise((resolve, reject) => {
        this.#settle.set(job, { resolve: () => resolve(`job ${job}`), reject });
      });
    };

    finish(...jobs: number[]): void {
      for (const job of jobs) this.#settle.get(job)?.resolve();
    }

    fail(job: number, error: Error): void {
      this.#settle.get(job)?.reject(error);
    }
  }

  /** The numbers from 0, and whether they were released. */
  class Numbers {
    isClosed = false;

    async *take(count: number): AsyncGenerator<number> {
      try {
        for (let index = 0; index < count; index += 1) yield index;
      } finally {
        this.isClosed = true;
      }
    }
  }

  /** Resolves after all pending callbacks have run. */
  function settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  let jobs: Jobs;
  let numbers: Numbers;
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  beforeEach(() => {
    jobs = new Jobs();
    numbers = new Numbers();
    process.on("unhandledRejection", note);
  });
  afterEach(async () => {
    await settle();
    process.off("unhandledRejection", note);
    expect(unhandled.splice(0)).toEqual([]);
  });

  test("results have the order of the items, not of completion", async () => {
    const results = mapOrdered(numbers.take(3), 3, jobs.run);
    const first = results.next();
    await settle();
    jobs.finish(2, 1);
    await settle();
    jobs.finish(0);
    expect(await first).toEqual({ value: "job 0", done: false });
    expect([await results.next(), await results.next()]).toEqual([
      { value: "job 1", done: false },
      { value: "job 2", done: false },
    ]);
    expect((await results.next()).done).toBe(true);
    expect(numbers.isClosed).toBe(true);
  });

  test("at most `concurrency` jobs run at a time", async () => {
    const results = mapOrdered(numbers.take(9), 2, jobs.run);
    const first = results.next();
    await settle();
    expect(jobs.started).toEqual([0, 1]);
    jobs.finish(0, 1);
    await first;
    await settle();
    expect(jobs.started).toEqual([0, 1]);
    const second = results.next();
    await settle();
    expect(jobs.started).toEqual([0, 1, 2]);
    await second;
    jobs.finish(2);
    await results.return(undefined);
  });

  test("no items give no results", async () => {
    expect((await mapOrdered(numbers.take(0), 2, jobs.run).next()).done).toBe(true);
  });

  describe("an error is thrown once, after the jobs in progress have ended", () => {
    test("from the first failing job in item order", async () => {
      const results = mapOrdered(numbers.take(9), 3, jobs.run);
      const first = results.next();
      await settle();
      jobs.fail(1, new Error("the second job"));
      await settle();
      jobs.fail(0, new Error("the first job"));
      const isOver = noteEnd(first);
      await settle();
      expect(isOver()).toBe(false);
      jobs.finish(2);
      await expect(first).rejects.toThrow("the first job");
      expect(jobs.started).toEqual([0, 1, 2]);
      expect(numbers.isClosed).toBe(true);
    });

    test("from the items", async () => {
      const failing = (async function* () {
        yield* numbers.take(2);
        throw new Error("no more to read");
      })();
      const first = mapOrdered(failing, 3, jobs.run).next();
      await settle();
      jobs.fail(1, new Error("a job that nobody asks for any more"));
      jobs.finish(0);
      await expect(first).rejects.toThrow("no more to read");
    });

    test("from a job that fails to start", async () => {
      const results = mapOrdered(numbers.take(2), 2, () => {
        throw new Error("not begun");
      });
      await expect(results.next()).rejects.toThrow("not begun");
      expect(numbers.isClosed).toBe(true);
    });
  });

  test("a consumer that stops early closes the items and ignores later failures", async () => {
    const results = mapOrdered(numbers.take(9), 3, jobs.run);
    const first = results.next();
    await settle();
    jobs.finish(0);
    await first;
    const end = results.return(undefined);
    const isOver = noteEnd(end);
    await settle();
    expect([isOver(), numbers.isClosed]).toEqual([false, true]);
    jobs.fail(1, new Error("too late"));
    jobs.finish(2);
    await end;
    expect(jobs.started).toEqual([0, 1, 2]);
  });

  function noteEnd(promise: Promise<unknown>): () => boolean {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    promise.then(end, end);
    return () => isOver;
  }
});
