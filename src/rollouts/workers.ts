import { extname } from "node:path";
import { Tinypool } from "tinypool";
import { MAX_TIMER_MS } from "../options.js";
import { BLOCK_BYTES, type FileBlock } from "./file-blocks.js";
import { fromAnswer, type Jobs, type Results, tasks } from "./tasks.js";

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

/** Starts worker threads, at least one. */
export function startPool(threads: number): TaskPool {
  const worker = new URL(`.//worker${extname(import.meta.url)}`, import.meta.url).href;
  const pool = new Tinypool({
    filename: worker,
    // Threads start when there is work for them, and are not stopped.
    minThreads: 1,
    idleTimeout: MAX_TIMER_MS,
    maxThreads: threads,
    concurrentTasksPerWorker: 1 + AHEAD,
    isolateWorkers: false,
    ...loaderOptions(worker),
  });
  return {
    concurrency: threads * (1 + AHEAD) + 1,
    async run(name, job, transfer = []) {
      return fromAnswer(await pool.run(job, { name, transferList: [...transfer] }));
    },
    close: () => pool.destroy(),
  };
}

/** Runs the tasks on the calling thread, one after the other. For small inputs this is faster than threads. */
export const inlinePool: TaskPool = {
  concurrency: 1,
  run: (name, job) => tasks[name](job),
  async close() {},
};

interface OpenPoolOptions {
  /** Number of threads, from 1. */
  readonly workers: number;
  /** Threads are started only if there are more bytes than this. */
  readonly worthBytes?: number | undefined;
}

/** A pool and the blocks for it to process. */
interface PooledBlocks {
  readonly pool: TaskPool;
  readonly blocks: AsyncGenerator<FileBlock>;
}

/** Starts threads for the blocks, or none if there is little to do. */
export async function openPool(
  blocks: AsyncGenerator<FileBlock>,
  { workers, worthBytes = BLOCK_BYTES }: OpenPoolOptions,
): Promise<PooledBlocks> {
  const heads: FileBlock[] = [];
  let bytes = 0;
  while (bytes <= worthBytes) {
    const { value, done } = await blocks.next();
    if (done === true) return { pool: inlinePool, blocks: prepend(heads, blocks) };
    heads.push(value);
    bytes += value.block.bytes?.length ?? 0;
  }
  return { pool: startPool(workers), blocks: prepend(heads, blocks) };
}

async function* prepend(
  heads: FileBlock[],
  rest: AsyncGenerator<FileBlock>,
): AsyncGenerator<FileBlock> {
  try {
    // Removed one by one, because they are large.
    for (let head = heads.shift(); head !== undefined; head = heads.shift()) yield head;
    yield* rest;
  } finally {
    // The file is open even if only the heads were consumed.
    await rest.return(undefined);
  }
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

/**
 * Options that let a new thread load the module at `url`. In a checkout nothing is compiled, and threads do not
 * inherit the loader. Compiled code needs no loader. Then no options are returned, because a thread with its
 * own `execArgv` rejects V8 options.
 */
export function loaderOptions(url: string): { readonly execArgv?: string[] } {
  if (!url.endsWith(".ts")) return {};
  const api = import.meta.resolve("tsx/esm/api");
  const program = `import { register } from ${JSON.stringify(api)}; register();`;
  return { execArgv: ["--import", `data:text/javascript,${encodeURIComponent(program)}`] };
}
