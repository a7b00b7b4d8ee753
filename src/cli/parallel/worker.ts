import { kTransferable, kValue, Tinypool } from "tinypool";
import { toAnswer } from "./answer.js";
import * as tasks from "./tasks.js";

/** What a thread runs: the tasks, whose results move to the caller instead of being copied. */
export const checkBlock = answering(tasks.checkBlock);
export const processBlock = answering(tasks.processBlock);
export const processGroups = answering(tasks.processGroups);

function answering<Job, Result>(task: (job: Job) => Result): (job: Job) => unknown {
  return (job) => {
    const answer = toAnswer(() => task(job));
    return Tinypool.move({
      [kTransferable]: [...new Set(findBuffers(answer))],
      [kValue]: answer,
    });
  };
}

/** The memory behind all typed arrays in a piece of plain data. */
function* findBuffers(value: unknown): Generator<ArrayBuffer> {
  if (typeof value !== "object" || value === null) return;
  if (!ArrayBuffer.isView(value)) {
    for (const child of Object.values(value)) yield* findBuffers(child);
  } else if (value.buffer instanceof ArrayBuffer) {
    yield value.buffer;
  }
}
