import { kTransferable, kValue, Tinypool } from "tinypool";
import type { Moved } from "../jsonl/buffer-pool.js";
import * as tasks from "./tasks.js";
import { toAnswer } from "./workers.js";

/** What a thread runs: the tasks, whose results move to the caller instead of being copied. */
export const checkBlock = answering(tasks.checkBlock);
export const processBlock = answering(tasks.processBlock);
export const processGroups = answering(tasks.processGroups);

function answering<Job>(task: (job: Job) => Moved): (job: Job) => unknown {
  return (job) => {
    const answer = toAnswer(() => task(job));
    const buffers = "result" in answer ? answer.result.buffers : [];
    return Tinypool.move({ [kTransferable]: buffers, [kValue]: answer });
  };
}
