import { extname } from "node:path";
import { Tinypool } from "tinypool";
import { MAX_TIMER_MS } from "../../options.js";
import type { CheckedBlock, CheckJob } from "../../validation/check-block.js";
import type { BlockJob, ProcessedBlock } from "../rollouts/process-block.js";
import type { GroupsJob, ProcessedGroups } from "../rollouts/process-groups.js";
import { fromAnswer } from "./answer.js";
import { loaderOptions } from "./loader-options.js";
import * as tasks from "./tasks.js";

/** What each task takes. */
interface Jobs {
  readonly checkBlock: CheckJob;
  readonly processBlock: BlockJob;
  readonly processGroups: GroupsJob;
}

/** What each task gives. */
interface Results {
  readonly checkBlock: CheckedBlock;
  readonly processBlock: ProcessedBlock;
  readonly processGroups: ProcessedGroups;
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
