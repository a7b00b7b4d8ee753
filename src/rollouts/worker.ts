import { kTransferable, kValue, Tinypool } from "tinypool";
import type { TransferableResult } from "../jsonl/buffer-pool.js";
import * as tasks from "./tasks.js";
import { toAnswer } from "./workers.js";

/** What a thread runs: the tasks, whose results move to the caller instead of being copied. */
export const checkBlock = answering(tasks.checkBlock);
export const buildBlock = answering(tasks.buildBlock);
export const buildScattered = answering(tasks.buildScattered);

function answering<Job>(task: (job: Job) => TransferableResult): (job: Job) => unknown {
  return (job) => {
    const answer = toAnswer(() => task(job));
    const buffers = "result" in answer ? answer.result.buffers : [];
    return Tinypool.move({ [kTransferable]: buffers, [kValue]: answer });
  };
}
