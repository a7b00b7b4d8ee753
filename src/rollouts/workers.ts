import { extname } from "node:path";
import { Tinypool } from "tinypool";
import { MAX_TIMER_MS } from "../options.js";
import { BLOCK_BYTES, type FileBlock } from "./file-blocks.js";
import { fromAnswer, type Jobs, type Results, tasks } from "./tasks.js";

/** Runs the tasks of `tasks.ts`. */
export interface TaskPool {
  /** Jobs to keep running or queued, so that no thread waits for its next one. */
  readonly concurrency: number;
  /**
   * Runs a task on a free thread; the buffers in `transfer` are detached from the caller. Throws what
   * the task throws.
   */
  run<Name extends keyof Jobs>(
    name: Name,
    job: Jobs[Name],
    transfer?: readonly ArrayBuffer[],
  ): Promise<Results[Name]>;
  /** Ends the threads. */
  close(): Promise<void>;
}

/** Jobs queued per thread besides the running one; with only one, a fast thread waits for the calling one. */
const AHEAD = 2;

/** Starts worker threads, at least one. */
export function startPool(threads: number): TaskPool {
  const worker = new URL(`.//worker${extname(import.meta.url)}`, import.meta.url).href;
  const pool = new Tinypool({
    filename: worker,
    // Threads start when there is work for them, and stay.
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

/** Runs the tasks on the calling thread, one after the other: for little work threads cost more. */
export const inlinePool: TaskPool = {
  concurrency: 1,
  run: (name, job) => tasks[name](job),
  async close() {},
};

interface OpenPoolOptions {
  /** Threads, from 1. */
  readonly workers: number;
  /** Threads are started only for more bytes than this. */
  readonly worthBytes?: number | undefined;
}

/** A pool and the blocks it is to work on. */
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
    // Released one by one: they are large.
    for (let head = heads.shift(); head !== undefined; head = heads.shift()) yield head;
    yield* rest;
  } finally {
    // The file is already open, even if only the heads are consumed.
    await rest.return(undefined);
  }
}

/**
 * The results of `map` in the order of the items, with up to `concurrency` calls running. Items are taken
 * only as calls finish. Throws what the first failing call throws, after the running calls have ended.
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
      // Awaited below; until then a failure must not count as unhandled.
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
 * Options with which a new thread can load the module at `url`. In a checkout nothing is compiled, and
 * threads do not inherit the loader. Compiled code needs no loader: then no arguments are given, because a
 * thread that is given its own refuses those of V8.
 */
export function loaderOptions(url: string): { readonly execArgv?: string[] } {
  if (!url.endsWith(".ts")) return {};
  const api = import.meta.resolve("tsx/esm/api");
  const program = `import { register } from ${JSON.stringify(api)}; register();`;
  return { execArgv: ["--import", `data:text/javascript,${encodeURIComponent(program)}`] };
}
