import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.js";

const FILES = ["dpo.jsonl", "ppo.jsonl"];

/** Throws when both sides of the latest race did not write as many records, or wrote none. */
export async function requireSameRecords(bench: Bench): Promise<void> {
  for (const file of FILES) {
    const ours = await countLines(join(bench.outputs(0), file));
    const theirs = await countLines(join(bench.outputs(1), file));
    if (ours === 0 || ours !== theirs) {
      throw new Error(`${file} holds ${ours} records of ours and ${theirs} of the peer`);
    }
  }
}

async function countLines(path: string): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(path, "latin1")) {
    count += String(chunk).split("\n").length - 1;
  }
  return count;
}
