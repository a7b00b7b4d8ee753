import { join } from "node:path";
import type { InputSource } from "../../records/input-source.js";
import { type FileBlock, type FileBlocksOptions, fileBlocks } from "../parallel/file-blocks.js";
import { mapOrdered } from "../parallel/map-ordered.js";
import { openPool } from "../parallel/open-pool.js";
import type { TaskPool } from "../parallel/task-pool.js";
import { batchGroups } from "./batch-groups.js";
import { groupPositions } from "./group-positions.js";
import { InputCopies } from "./input-copies.js";
import { LineReader } from "./line-reader.js";
import { PositionLog } from "./position-log.js";
import type { ProcessedBlock } from "./process-block.js";
import type { PackedRollouts } from "./rollout-packer.js";
import type { RolloutPlan } from "./rollout-plan.js";
import { RunJoiner } from "./run-joiner.js";

export interface RolloutsRun extends FileBlocksOptions {
  readonly files: readonly string[];
  readonly plan: RolloutPlan;
  /** Threads, from 1. */
  readonly workers: number;
  /** An empty folder for temporary files. */
  readonly folder: string;
}

/** What takes the results of a run. It is called in the order of the input, whatever the threads do. */
export interface RolloutsReceiver {
  /** Whether the rollouts are still of use; if not, the lines are only checked. */
  readonly wantsRollouts: boolean;
  /** Takes the checks of a block's lines. */
  checked(block: ProcessedBlock): Promise<void>;
  /** Takes rollouts in order of first appearance. `reader` reads their lines again. */
  built(packed: PackedRollouts, reader: LineReader): Promise<void>;
  /** Is told to forget all rollouts: they come again, since they were not complete. */
  restart(): Promise<void>;
}

/**
 * Reads branches, checks them, and builds their rollouts, wherever in the files the branches of each
 * stand. As long as they stand next to each other, the rollouts are built while reading. When one comes
 * back, the lines are only checked from there on, and then read again rollout by rollout: where each of
 * them stands is known from a log on disk. Memory does not grow with the files.
 *
 * Throws UserError (exit 3) for a file that cannot be read.
 */
export async function processRollouts(
  run: RolloutsRun,
  receiver: RolloutsReceiver,
  source: InputSource,
): Promise<void> {
  const log = new PositionLog(join(run.folder, "positions"));
  const copies = new InputCopies(run.files, source, run.folder);
  const reader = new LineReader(copies.inputs);
  try {
    const { pool, blocks } = await openPool(copies.pass(fileBlocks(run.files, source, run)), {
      workers: run.workers,
      worthBytes: run.blockBytes,
    });
    try {
      const scattered = await readOnce(run.plan, { pool, blocks, log, reader, receiver });
      if (!scattered) return;
      await receiver.restart();
      const groups = groupPositions(log, run.folder);
      const batches = batchGroups(groups, copies.inputs, run.plan);
      const built = mapOrdered(batches, pool.concurrency, (job) =>
        pool.run("processGroups", job, [job.positions.buffer]),
      );
      for await (const packed of built) await receiver.built(packed, reader);
    } finally {
      await pool.close();
    }
  } finally {
    reader.close();
    log.close();
  }
}

interface Reading {
  readonly pool: TaskPool;
  readonly blocks: AsyncIterable<FileBlock>;
  readonly log: PositionLog;
  readonly reader: LineReader;
  readonly receiver: RolloutsReceiver;
}

/** Gives whether the rollouts have to be built once more, because one came back after another. */
async function readOnce(plan: RolloutPlan, reading: Reading): Promise<boolean> {
  const { pool, blocks, log, reader, receiver } = reading;
  const joiner = new RunJoiner(plan);
  const processed = mapOrdered(blocks, pool.concurrency, (item) => {
    const build = receiver.wantsRollouts && !joiner.isScattered;
    const { bytes } = item.block;
    return pool.run("processBlock", { plan, build, ...item }, bytes ? [bytes.buffer] : []);
  });
  for await (const block of processed) {
    await receiver.checked(block);
    if (!receiver.wantsRollouts) continue;
    log.append(block.positions);
    for (const packed of joiner.join(block)) await receiver.built(packed, reader);
  }
  if (!receiver.wantsRollouts) return false;
  for (const packed of joiner.end()) await receiver.built(packed, reader);
  return joiner.isScattered;
}
