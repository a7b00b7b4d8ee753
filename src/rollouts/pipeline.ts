import { join } from "node:path";
import type { Progress } from "../cli/progress.js";
import type { InputSource } from "../files/source.js";
import { BufferPool } from "../jsonl/buffer-pool.js";
import type { BuiltBlock, ScatteredJob } from "./build-block.js";
import { type RolloutPlan, withBuilder } from "./builders.js";
import {
  BLOCK_BYTES,
  type FileBlock,
  type FileBlocksOptions,
  fileBlocks,
  InputCopies,
} from "./file-blocks.js";
import { groupPositions } from "./groups.js";
import { BlockBoundaryJoiner } from "./joiner.js";
import { type LinePosition, PositionLog, toRows } from "./positions.js";
import { LineReader, type RereadableInput } from "./reread.js";
import type { SerializedRollouts } from "./serializer.js";
import { mapOrdered, openPool, type TaskPool } from "./workers.js";

export interface RolloutsRun extends FileBlocksOptions {
  readonly files: readonly string[];
  readonly plan: RolloutPlan;
  /** Threads, from 1. */
  readonly workers: number;
  /** An empty folder for temporary files. */
  readonly folder: string;
  readonly progress: Progress;
}

/** What takes the results of a run. It is called in the order of the input, whatever the threads do. */
export interface RolloutsReceiver {
  /** Whether the rollouts are still of use; if not, the lines are only checked. */
  readonly wantsRollouts: boolean;
  /** Takes the checks of a block's lines. */
  checked(block: BuiltBlock): Promise<void>;
  /** Takes rollouts in order of first appearance. `reader` reads their lines again. */
  built(serialized: SerializedRollouts, reader: LineReader): Promise<void>;
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
export async function buildRollouts(
  run: RolloutsRun,
  receiver: RolloutsReceiver,
  source: InputSource,
): Promise<void> {
  const log = new PositionLog(join(run.folder, "positions"));
  const copies = new InputCopies(run.files, source, run.folder);
  const reader = new LineReader(copies.inputs);
  const memory = new BufferPool();
  try {
    const read = fileBlocks(run.files, source, { ...run, memory });
    const { pool, blocks } = await openPool(copies.pass(read), {
      workers: run.workers,
      worthBytes: run.blockBytes,
    });
    try {
      const reading = { pool, blocks, memory, log, reader, receiver };
      const scattered = await readOnce(run.plan, reading);
      if (scattered) await readScattered(run, copies, reading);
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
  readonly memory: BufferPool;
  readonly log: PositionLog;
  readonly reader: LineReader;
  readonly receiver: RolloutsReceiver;
}

/** Gives whether the rollouts have to be built once more, because one came back after another. */
async function readOnce(plan: RolloutPlan, reading: Reading): Promise<boolean> {
  const { pool, blocks, memory, log, reader, receiver } = reading;
  const joiner = new BlockBoundaryJoiner(plan);
  const processed = mapOrdered(blocks, pool.concurrency, (item) => {
    const build = receiver.wantsRollouts && !joiner.isScattered;
    const { bytes } = item.block;
    const spare = build ? takeOutputMemory(plan, memory) : [];
    const transfer = bytes ? [bytes.buffer, ...spare] : spare;
    return pool.run("buildBlock", { plan, build, ...item, spare }, transfer);
  });
  for await (const block of processed) {
    await receiver.checked(block);
    if (receiver.wantsRollouts) {
      log.append(block.positions);
      for (const serialized of joiner.join(block)) await receiver.built(serialized, reader);
    }
    memory.giveBack(block.buffers);
  }
  if (!receiver.wantsRollouts) return false;
  for (const serialized of joiner.end()) await receiver.built(serialized, reader);
  return joiner.isScattered;
}

/** Reads the rollouts one by one, from wherever their lines stand. */
async function readScattered(
  { plan, folder, progress }: RolloutsRun,
  copies: InputCopies,
  { pool, memory, log, reader, receiver }: Reading,
): Promise<void> {
  await receiver.restart();
  const batches = batchGroups(groupPositions(log, folder), copies.inputs, plan);
  const built = mapOrdered(batches, pool.concurrency, (job) => {
    const spare = takeOutputMemory(plan, memory);
    return pool.run("buildScattered", { ...job, spare }, [job.positions.buffer, ...spare]);
  });
  let done = 0;
  for await (const serialized of built) {
    await receiver.built(serialized, reader);
    memory.giveBack(serialized.buffers);
    done += serialized.rollouts.reduce((sum, { branches }) => sum + branches, 0);
    progress.rebuilt(done, log.size);
  }
}

/** For each output of a plan a piece. */
function takeOutputMemory({ builder }: RolloutPlan, memory: BufferPool): ArrayBuffer[] {
  return withBuilder(builder, ({ outputs }) => outputs.map(() => memory.take()));
}

/** Rollouts that a thread builds at a time, at most. */
const GROUPS_PER_BATCH = 1024;

/** Jobs of about as many bytes as a block has. */
export async function* batchGroups(
  groups: Iterable<readonly LinePosition[]>,
  inputs: ReadonlyMap<number, RereadableInput>,
  plan: RolloutPlan,
): AsyncGenerator<ScatteredJob> {
  let batch: LinePosition[] = [];
  let count = 0;
  let bytes = 0;
  const toJob = (): ScatteredJob => ({
    plan,
    inputs: pick(inputs, batch),
    positions: toRows(batch),
  });
  for (const group of groups) {
    for (const position of group) {
      batch.push(position);
      bytes += position.length;
    }
    count += 1;
    if (bytes < BLOCK_BYTES && count < GROUPS_PER_BATCH) continue;
    yield toJob();
    batch = [];
    count = 0;
    bytes = 0;
  }
  if (batch.length > 0) yield toJob();
}

/** Those of the inputs that the positions speak of. */
function pick(
  inputs: ReadonlyMap<number, RereadableInput>,
  positions: readonly LinePosition[],
): Map<number, RereadableInput> {
  const picked = new Map<number, RereadableInput>();
  for (const { input } of positions) {
    const found = inputs.get(input);
    if (found !== undefined) picked.set(input, found);
  }
  return picked;
}
