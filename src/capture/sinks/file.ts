import { createHash, randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { toWriteError } from "../../records/to-write-error.js";
import { appendLines } from "./append-lines.js";
import type { Batch, Sink } from "./sink.js";
import { SinkError } from "./sink-error.js";
import { toLines } from "./to-lines.js";

/** Appends the records to daily files, such as `rollouts-2026-01-31.jsonl` (UTC). */
export interface FileSinkOptions {
  readonly type: "file";
  /** Made when it is not there. Default `./rollouts`. */
  readonly dir?: string;
}

export function createFileSink(
  { dir = "./rollouts" }: FileSinkOptions,
  now: () => number = Date.now,
): Sink {
  const folder = resolve(dir);
  async function writeBatch({ lines }: Batch): Promise<void> {
    const day = new Date(now()).toISOString().slice(0, 10);
    const path = join(folder, `rollouts-${day}.jsonl`);
    try {
      await mkdir(folder, { recursive: true });
      await appendLines(path, lines);
    } catch (error) {
      const cause = toWriteError(path, error);
      throw new SinkError("unavailable", cause instanceof Error ? cause.message : String(cause));
    }
  }
  return {
    id: `file-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`,
    name: folder,
    writeBatch,
    async write(records) {
      if (records.length > 0) await writeBatch({ key: randomUUID(), lines: toLines(records) });
    },
    async close() {},
  };
}
