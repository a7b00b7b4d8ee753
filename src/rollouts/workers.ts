import { extname } from "node:path";
import { Tinypool } from "tinypool";
import { MAX_TIMER_MS } from "../options.js";
import { type ExitCode, UserError } from "../user-error.js";
import type { CheckedBlock, CheckJob } from "../validation/check-block.js";
import type { BlockJob, BuiltBlock, BuiltScattered, ScatteredJob } from "./build-block.js";
import { BLOCK_BYTES, type FileBlock } from "./file-blocks.js";
import * as tasks from "./tasks.js";

/** What each task takes. */
interface Jobs {
  readonly checkBlock: CheckJob;
  readonly buildBlock: BlockJob;
  readonly buildScattered: ScatteredJob;
}

/** What each task gives. */
interface Results {
  readonly checkBlock: CheckedBlock;
  readonly buildBlock: BuiltBlock;
  readonly buildScattered: BuiltScattered;
}

type Tasks = { readonly [Name in keyof Jobs]: (job: Jobs[Name]) => Results[Name] };

const inlineTasks: Tasks = tasks;

/** Runs the functions of `tasks.ts`. */
export interface TaskPool {
  /** How many jobs to have under way, so that no thread waits for its next one. */
  readonly concurrency: number;
  /**
   * Runs a task on a free thread; the buffers in `transfer` are no longer the caller's. Throws what
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

/** Jobs that wait beside the one that a thread works on; with one, a thread that is quick waits for the calling one. */
const AHEAD = 2;

/** Starts worker threads, at least one. */
export function startPool(threads: number): TaskPool {
  const worker = new URL(`.//worker${extname(import.meta.url)}`, import.meta.url).href;
  const pool = new Tinypool({
    filename: worker,
    // Threads are started as there is work for them, and stay.
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

/** Runs the tasks on the calling thread, one after the other: threads cost more than a little work. */
export const inlinePool: TaskPool = {
  concurrency: 1,
  async run<Name extends keyof Jobs>(name: Name, job: Jobs[Name]): Promise<Results[Name]> {
    return inlineTasks[name](job);
  },
  async close() {},
};

export interface OpenPoolOptions {
  /** Threads, from 1. */
  readonly workers: number;
  /** Bytes from which on threads are worth starting. */
  readonly worthBytes?: number | undefined;
}

/** A pool with the blocks that it is to work on. */
export interface PooledBlocks {
  readonly pool: TaskPool;
  readonly blocks: AsyncGenerator<FileBlock>;
}

/** Starts threads for the blocks, or none where there is little to do. */
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
    // Let go of one by one: they are large.
    for (let head = heads.shift(); head !== undefined; head = heads.shift()) yield head;
    yield* rest;
  } finally {
    // The file is open already, also when nobody wants more than the heads.
    await rest.return(undefined);
  }
}

/**
 * The results of `map`, in the order of the items, with up to `concurrency` of them under way. Items
 * are taken only as places become free. Throws what the first failing call throws; the calls that are
 * then under way are waited for.
 */
export async function* mapOrdered<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = map(item);
      // It is awaited below; until then its failure must not count as unhandled.
      result.catch(() => {});
      underWay.push(result);
      while (underWay.length >= concurrency) yield await take(underWay);
    }
    while (underWay.length > 0) yield await take(underWay);
  } finally {
    await Promise.allSettled(underWay);
  }
}

function take<Result>(queue: Promise<Result>[]): Promise<Result> {
  const first = queue.shift();
  if (first === undefined) throw new RangeError("nothing is under way");
  return first;
}

/** What a thread sends back: errors lose their class on the way, and a user's mistake must not. */
export type Answer<Result> =
  | { readonly result: Result }
  | { readonly mistake: string; readonly exitCode: ExitCode };

/** Runs a task and gives its result or the user's mistake; throws what is a bug of ours. */
export function toAnswer<Result>(task: () => Result): Answer<Result> {
  try {
    return { result: task() };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { mistake: error.message, exitCode: error.exitCode };
  }
}

/** The result, or the user's mistake thrown again. */
export function fromAnswer<Result>(answer: Answer<Result>): Result {
  if ("result" in answer) return answer.result;
  throw new UserError(answer.mistake, answer.exitCode);
}

/**
 * Options by which a new thread can load the module at `url`. In a checkout nothing is compiled, and a
 * thread does not inherit the loader of the thread that starts it. Compiled code needs none, and takes over
 * what it can of this process: given arguments, a thread would refuse those of V8.
 */
export function loaderOptions(url: string): { readonly execArgv?: string[] } {
  if (!url.endsWith(".ts")) return {};
  const api = import.meta.resolve("tsx/esm/api");
  const program = `import { register } from ${JSON.stringify(api)}; register();`;
  return { execArgv: ["--import", `data:text/javascript,${encodeURIComponent(program)}`] };
}
