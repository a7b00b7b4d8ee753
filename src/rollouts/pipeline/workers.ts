import { extname } from "node:path";
import type { Tinypool } from "tinypool";
import { prepend } from "../../base/files/open-input.js";
import { BufferPool } from "../../base/jsonl/buffer-pool.js";
import { BLOCK_BYTES, type FileBlock } from "../../base/jsonl/file-blocks.js";
import { loaderOptions } from "../../base/loader-options.js";
import { MAX_TIMER_MS } from "../../base/options.js";
import { UserError } from "../../base/user-error.js";
import { type Answer, fromAnswer, type Jobs, type Results, tasks } from "./tasks.js";

/** Runs the tasks of `tasks.ts`. */
export interface TaskPool {
  /** Number of jobs to keep running or queued, so that no thread waits for its next one. */
  readonly concurrency: number;
  /**
   * Runs a task on a free thread. The buffers in `transfer` are detached from the caller. Rethrows the errors
   * of the task.
   */
  run<Name extends keyof Jobs>(
    name: Name,
    job: Jobs[Name],
    transfer?: readonly ArrayBuffer[],
  ): Promise<Results[Name]>;
  /** Terminates the threads. */
  close(): Promise<void>;
}

/** Jobs queued per thread besides the running one. With only one, a fast thread would wait for the main thread. */
const AHEAD = 2;

/**
 * Starts a pool of threads, or none for one worker. If a thread cannot start, this or `run` throws a UserError (exit 3).
 */
export async function startPool(workers: number): Promise<TaskPool> {
  return workers === 1 ? inlinePool : await startThreads(workers);
}

async function startThreads(threads: number): Promise<TaskPool> {
  const pool = await createPool(threads);
  const waiting = new Set<(error: unknown) => void>();
  let failure: unknown;
  // A thread failed before it had a task. No other is started then, and queued tasks would wait for ever.
  pool.on("error", (error) => {
    failure ??= error;
    for (const reject of waiting) reject(error);
  });
  return {
    concurrency: threads * (1 + AHEAD),
    async run(name, job, transfer = []) {
      let giveUp = (_: unknown): void => {};
      try {
        if (failure !== undefined) throw failure;
        const running = pool.run(job, { name, transferList: [...transfer] });
        const answer = await new Promise<Answer<Results[typeof name]>>((resolve, reject) => {
          giveUp = reject;
          waiting.add(giveUp);
          running.then(resolve, reject);
        });
        return fromAnswer(answer);
      } catch (error) {
        throw toThreadError(error);
      } finally {
        waiting.delete(giveUp);
      }
    },
    close: () => closePool(pool),
  };
}

/** Terminates the threads. One that fails meanwhile has ended too. */
async function closePool(pool: Tinypool): Promise<void> {
  // tinypool waits for them by `once` of node:events, which then takes its listeners back. Its threads lack that method.
  for (const thread of pool.threads) Object.assign(thread, { removeListener: () => thread });
  try {
    await pool.destroy();
  } catch (error) {
    if (toThreadError(error) === error) throw error;
  }
}

async function createPool(threads: number): Promise<Tinypool> {
  // Small inputs need no threads.
  const { Tinypool } = await import("tinypool");
  const named = new URL(`.//worker${extname(import.meta.url)}`, import.meta.url).href;
  // By the other path, Deno would load the modules that it imports a second time.
  const worker = named.replace("//worker", "/worker");
  try {
    return new Tinypool({
      filename: worker,
      // Loaded at the start. For a name that is not exported, tinypool generates code, which may be forbidden.
      name: "checkBlock" satisfies keyof Jobs,
      // Threads start when there is work for them, and are not stopped.
      minThreads: 1,
      idleTimeout: MAX_TIMER_MS,
      maxThreads: threads,
      concurrentTasksPerWorker: 1 + AHEAD,
      isolateWorkers: false,
      // A thread that waits in `Atomics.wait` may never get its first task in Deno. For large blocks it gains nothing.
      useAtomics: false,
      ...loaderOptions(worker),
    });
  } catch (error) {
    throw toThreadError(error);
  }
}

/** Why a thread did not start or ended, by the codes of node:worker_threads. */
const THREAD_REASONS: Readonly<Record<string, string>> = {
  EAGAIN: "the system permits no more threads: raise the limit (ulimit -u)",
  ERR_WORKER_INIT_FAILED: "the system permits no more threads: raise the limit (ulimit -u)",
  ERR_WORKER_OUT_OF_MEMORY:
    "out of memory: use fewer --workers, or NODE_OPTIONS=--max-old-space-size=MEGABYTES",
};

/** Converts the error of a thread to a UserError (exit 3). Returns any other error unchanged. */
function toThreadError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const reason = THREAD_REASONS[String(error.code)];
  return reason === undefined ? error : new UserError(`worker thread: ${reason}`);
}

/** Runs the tasks on the calling thread, one after the other. For small inputs this is faster than threads. */
export const inlinePool: TaskPool = {
  concurrency: 1,
  run: (name, job) => tasks[name](job),
  async close() {},
};

export interface PoolOptions {
  /** Number of threads, from 1. */
  readonly workers: number;
  /** Threads are started only if there are more bytes than this. Default: one block. */
  readonly blockBytes?: number | undefined;
}

/** A pool and the blocks for it to process. */
interface PooledBlocks<Block> {
  readonly pool: TaskPool;
  readonly blocks: AsyncGenerator<Block>;
}

/**
 * Runs a task on blocks, and yields the results in order. `read` yields blocks in the memory that it is given, which is
 * used again once the next result is requested.
 */
export async function* mapBlocks<Name extends keyof Jobs, Block extends FileBlock>(
  name: Name,
  options: PoolOptions,
  read: (memory: BufferPool) => AsyncGenerator<Block>,
  toJob: (block: Block) => Jobs[Name],
): AsyncGenerator<Results[Name]> {
  const memory = new BufferPool();
  const { pool, blocks } = await openPool(read(memory), options);
  try {
    const results = mapOrdered(blocks, pool.concurrency, (item) =>
      pool.run(name, toJob(item), item.block.bytes ? [item.block.bytes.buffer] : []),
    );
    for await (const result of results) {
      yield result;
      memory.giveBack(result.buffers);
    }
  } finally {
    await pool.close();
  }
}

/** Starts threads for the blocks, or none if there is little to do or Node may start none (--allow-worker). */
export async function openPool<Block extends FileBlock>(
  blocks: AsyncGenerator<Block>,
  { workers, blockBytes = BLOCK_BYTES }: PoolOptions,
): Promise<PooledBlocks<Block>> {
  const heads: Block[] = [];
  let bytes = 0;
  while (bytes <= blockBytes) {
    const { value, done } = await blocks.next();
    if (done === true) return { pool: inlinePool, blocks: prepend(heads, blocks) };
    heads.push(value);
    bytes += value.block.bytes?.length ?? 0;
  }
  if (process.permission?.has("worker") === false) {
    return { pool: inlinePool, blocks: prepend(heads, blocks) };
  }
  return { pool: await startPool(workers), blocks: prepend(heads, blocks) };
}

/**
 * Yields the results of `map` in the order of the items, with up to `concurrency` calls in progress. Items are
 * taken only as calls finish. Rethrows the error of the first failing call after the calls in progress have
 * ended.
 */
export async function* mapOrdered<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = map(item);
      // Awaited below. Until then a rejection must not count as unhandled.
      result.catch(() => {});
      running.push(result);
      while (running.length >= concurrency) yield await take(running);
    }
    while (running.length > 0) yield await take(running);
  } finally {
    await Promise.allSettled(running);
  }
}

function take<Result>(queue: Promise<Result>[]): Promise<Result> {
  const first = queue.shift();
  if (first === undefined) throw new RangeError("nothing is running");
  return first;
}
