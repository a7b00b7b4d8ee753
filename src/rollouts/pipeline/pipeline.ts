import { join } from "node:path";
import { encodeRows, RowLog } from "../../base/files/row-log.js";
import type { InputSource } from "../../base/files/source.js";
import type { FindingLimits } from "../../base/findings/finding-list.js";
import { BufferPool } from "../../base/jsonl/buffer-pool.js";
import {
  BLOCK_BYTES,
  type FileBlock,
  type FileBlocksOptions,
  fileBlocks,
  type RereadableInput,
  RereadableInputs,
} from "../../base/jsonl/file-blocks.js";
import type { Progress } from "../../base/run/staged-run.js";
import type { BuiltBlock, ScatteredJob } from "./build-block.js";
import type { RolloutBuilder, RolloutPlan } from "./builder.js";
import { createBuilder } from "./create-builder.js";
import { groupPositions } from "./groups.js";
import { BlockBoundaryJoiner } from "./joiner.js";
import { type LinePosition, positionCodec } from "./positions.js";
import { LineReader } from "./reread.js";
import type { SerializedRollouts } from "./serializer.js";
import { mapOrdered, openPool, type TaskPool } from "./workers.js";

/** Receives checked lines and built rollouts in order. */
export interface RolloutReceiver {
  /** Limits for the findings about the lines of a block that will be checked. */
  readonly lineLimits: FindingLimits;
  /** Whether rollouts are still to be built. */
  readonly wantsRollouts: boolean;
  checked(block: BuiltBlock): Promise<void>;
  built(serialized: SerializedRollouts, reader: LineReader): Promise<void>;
  /** Called once all rollouts were received. Returns whether they must be received again. */
  settle(): boolean;
  /** Forgets all rollouts, which are then received again. */
  restart(): Promise<void>;
}

interface RolloutsRun extends FileBlocksOptions {
  readonly files: readonly string[];
  readonly plan: RolloutPlan;
  /** Number of threads, from 1. */
  readonly workers: number;
  /** An empty folder for temporary files. */
  readonly folder: string;
  readonly progress: Progress;
}

/**
 * Reads branches, checks them and builds their rollouts, even if the branches of a rollout are scattered over
 * the files. Rollouts are built while reading as long as the branches of each are adjacent. When a rollout
 * reappears later, the remaining lines are validated but not built. Then all rollouts are reread one by one,
 * from positions logged on disk; and once more if the receiver can judge them only after it has seen all. Memory does
 * not grow with the files.
 *
 * Throws UserError (exit 3) if a file cannot be read.
 */
export async function buildRollouts(
  run: RolloutsRun,
  receiver: RolloutReceiver,
  source: InputSource,
): Promise<void> {
  const log = new RowLog(join(run.folder, "positions"), positionCodec);
  const rereadable = new RereadableInputs(run.files, source, run.folder);
  const reader = new LineReader(rereadable.inputs);
  const memory = new BufferPool();
  try {
    const read = fileBlocks(run.files, source, { ...run, documents: true, memory });
    const { pool, blocks } = await openPool(rereadable.pass(read), {
      workers: run.workers,
      worthBytes: run.blockBytes,
    });
    try {
      const builder = await createBuilder(run.plan.builder);
      const reading = { pool, blocks, builder, memory, log, reader, receiver };
      const scattered = await readOnce(run.plan, reading);
      if (scattered) await readScattered(run, rereadable.inputs, reading);
      if (receiver.settle()) await readScattered(run, rereadable.inputs, reading);
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
  readonly builder: RolloutBuilder;
  readonly memory: BufferPool;
  readonly log: RowLog<LinePosition>;
  readonly reader: LineReader;
  readonly receiver: RolloutReceiver;
}

/** Returns true if a rollout has reappeared, so that all rollouts must be rebuilt. */
async function readOnce(plan: RolloutPlan, reading: Reading): Promise<boolean> {
  const { pool, blocks, builder, memory, log, reader, receiver } = reading;
  const joiner = new BlockBoundaryJoiner(plan, builder);
  const processed = mapOrdered(blocks, pool.concurrency, (item) => {
    const build = receiver.wantsRollouts && !joiner.isScattered;
    const { bytes } = item.block;
    const spare = build ? takeOutputMemory(builder, memory) : [];
    const transfer = bytes ? [bytes.buffer, ...spare] : spare;
    const job = { plan, build, ...item, limits: receiver.lineLimits, spare };
    return pool.run("buildBlock", job, transfer);
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

/** Rereads the rollouts one by one, from the positions of their lines. */
async function readScattered(
  { plan, folder, progress }: RolloutsRun,
  inputs: RereadableInputs["inputs"],
  { pool, builder, memory, log, reader, receiver }: Reading,
): Promise<void> {
  await receiver.restart();
  const batches = batchGroups(groupPositions(log, folder), inputs, plan);
  const built = mapOrdered(batches, pool.concurrency, (job) => {
    const spare = takeOutputMemory(builder, memory);
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

/** Takes one buffer per output. */
function takeOutputMemory({ outputs }: RolloutBuilder, memory: BufferPool): ArrayBuffer[] {
  return outputs.map(() => memory.take());
}

/** Maximum number of rollouts that a thread builds at a time. */
const GROUPS_PER_BATCH = 1024;

/** Groups rollouts into jobs of about the size of a block. */
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
    positions: encodeRows(batch, positionCodec),
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

/** Selects the inputs that the positions refer to. */
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
