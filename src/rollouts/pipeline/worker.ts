import { kTransferable, kValue, Tinypool } from "tinypool";
import type { TransferableResult } from "../../base/jsonl/buffer-pool.js";
import { tasks, toAnswer } from "./tasks.js";

/** For tests, which take it from the same copy as the threads: what moves a result is marked in one copy only. */
export { Tinypool };

/** What a thread runs: the tasks by name. Their buffers are transferred to the caller, not copied. */
export const checkBlock = answering(tasks.checkBlock);
export const buildBlock = answering(tasks.buildBlock);
export const buildScattered = answering(tasks.buildScattered);
export const redactBlock = answering(tasks.redactBlock);

function answering<Job>(
  task: (job: Job) => Promise<TransferableResult>,
): (job: Job) => Promise<unknown> {
  return async (job) => {
    const answer = await toAnswer(task(job));
    const buffers = "result" in answer ? answer.result.buffers : [];
    return Tinypool.move({ [kTransferable]: buffers, [kValue]: answer });
  };
}
