import { join } from "node:path";
import { encodeRows, RowLog } from "../../base/files/row-log.js";
import type { InputSource } from "../../base/files/source.js";
import { toPartLimits } from "../../base/findings/finding-list.js";
import { BufferPool } from "../../base/jsonl/buffer-pool.js";
import { BLOCK_BYTES, type FileBlock, type RereadableInput } from "../../base/jsonl/file-blocks.js";
import {
  type LineRun,
  type LinesOutcome,
  type LinesRequest,
  runLines,
} from "../../base/run/run-lines.js";
import type { ScoreWeights } from "../wire/scoring/score.js";
import type { RuleSeverities } from "../wire/validation/profiles.js";
import type { ScatteredJob } from "./build-block.js";
import type { BuilderPlan, RolloutBuilder, RolloutPlan } from "./builder.js";
import { createBuilder } from "./create-builder.js";
import { groupPositions } from "./groups.js";
import { BlockBoundaryJoiner } from "./joiner.js";
import { type LinePosition, positionCodec } from "./positions.js";
import { type Gate, OutputReceiver, type ReceiverOptions, type TaskSink } from "./receiver.js";
import { type OutputPlan, RecordOutput } from "./record-output.js";
import { LineReader } from "./reread.js";
import { mapOrdered, openPool, type PoolOptions, type TaskPool } from "./workers.js";

/** How rollouts are read and checked. */
export interface RolloutsRequest extends LinesRequest, PoolOptions {
  readonly severities: RuleSeverities;
  /** Whether branches of failed runs are left out, with a warning each. */
  readonly skipErrored?: boolean | undefined;
}

/** What is made of them. */
export interface RolloutOutputs {
  readonly builder: BuilderPlan;
  /** In the order of the builder's outputs. */
  readonly outputs: readonly OutputPlan[];
  /** Undefined: tasks are not compared with an evaluation set. */
  readonly gate?: Gate | undefined;
  /** Whether inputs and outputs are hashed. */
  readonly hashes?: boolean;
  readonly tasks?: TaskSink;
  readonly locate?: ReceiverOptions["locate"];
}

/** What was read, and what is written once the run has no errors. */
export interface WrittenRollouts {
  readonly receiver: OutputReceiver;
  /** In the order of the builder's outputs. */
  readonly outputs: readonly RecordOutput[];
}

/**
 * Builds records of rollouts and writes them to staged files: see `buildRollouts`. Adds all findings to those of the run.
 * Throws UserError (exit 3) if a file cannot be read or written.
 */
export async function writeRollouts(
  run: LineRun,
  { severities, skipInvalid = false, skipErrored = false, limits, ...request }: RolloutsRequest,
  { builder, gate, tasks, locate, hashes = false, ...planned }: RolloutOutputs,
): Promise<WrittenRollouts> {
  const outputs: RecordOutput[] = [];
  for (const plan of planned.outputs) {
    outputs.push(await RecordOutput.open(plan, run.staging, hashes));
  }
  const { rejects } = run;
  const receiver = new OutputReceiver({ limits, gate, outputs, rejects, tasks, locate });
  const plan = {
    builder,
    severities: skipInvalid || skipErrored ? allowGaps(severities) : severities,
    maxErrors: toPartLimits(limits).maxErrors,
    skipInvalid,
    skipErrored,
    keepRejects: rejects !== undefined,
    isGated: gate !== undefined,
  };
  await buildRollouts(
    run,
    await createBuilder(builder),
    { plan, hashes, isShown: locate === undefined, ...request },
    receiver,
  );
  receiver.addFindings(run.findings);
  if (run.findings.errors === 0) for (const output of outputs) await output.finish();
  return { receiver, outputs };
}

interface RankRequest extends RolloutsRequest {
  readonly output: string;
  /** The weights with which the branches are scored. */
  readonly weights: ScoreWeights;
}

export interface RankOutcome extends LinesOutcome, Pick<WrittenRollouts, "receiver"> {}

/** Ranks captured branches into one file. Throws UserError as `runLines` does. */
export function rankFiles(
  { output, weights, ...request }: RankRequest,
  source: InputSource,
): Promise<RankOutcome> {
  return runLines(request, source, async (run) => {
    const builder = { id: "rank", weights } as const;
    const outputs = (await run.lock([output])).map((path) => ({ path }));
    const { receiver } = await writeRollouts(run, request, { builder, outputs });
    return { result: { receiver }, leftOut: receiver.leftOut };
  });
}

/** An omitted line leaves a gap in the ranks of its rollout, which is still exported. */
export function allowGaps(severities: RuleSeverities): RuleSeverities {
  if (severities["rank-permutation"] !== "error") return severities;
  return { ...severities, "rank-permutation": "warning" };
}

interface BuildOptions extends PoolOptions {
  readonly plan: RolloutPlan;
  /** Default: the files of the run. */
  readonly files?: readonly string[];
  /** Whether the files are a part of what the progress shows. Default: true. */
  readonly isShown?: boolean;
  /** Whether inputs are hashed. */
  readonly hashes?: boolean;
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
  run: LineRun,
  builder: RolloutBuilder,
  { plan, hashes, files, isShown, ...options }: BuildOptions,
  receiver: OutputReceiver,
): Promise<void> {
  const memory = new BufferPool();
  const countLines = (): number => receiver.lines;
  const read = run.blocks({
    ...{ files, documents: true, copies: true, memory, hashes, countLines, isShown },
  });
  const log = run.closing(new RowLog(join(run.folder, "positions"), positionCodec));
  const reader = run.closing(new LineReader(run.input.rereadable));
  const { pool, blocks } = await openPool(read, options);
  try {
    const reading = { run, pool, builder, memory, log, reader, receiver };
    const scattered = await readOnce(plan, blocks, reading);
    if (scattered) await readScattered(plan, reading);
    if (receiver.settle()) await readScattered(plan, reading);
  } finally {
    await pool.close();
  }
}

interface Reading {
  readonly run: LineRun;
  readonly pool: TaskPool;
  readonly builder: RolloutBuilder;
  readonly memory: BufferPool;
  readonly log: RowLog<LinePosition>;
  readonly reader: LineReader;
  readonly receiver: OutputReceiver;
}

/** Returns true if a rollout has reappeared, so that all rollouts must be rebuilt. */
async function readOnce(
  plan: RolloutPlan,
  blocks: AsyncIterable<FileBlock>,
  { pool, builder, memory, log, reader, receiver }: Reading,
): Promise<boolean> {
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
  plan: RolloutPlan,
  { run, pool, builder, memory, log, reader, receiver }: Reading,
): Promise<void> {
  await receiver.restart();
  const batches = batchGroups(groupPositions(log, run.folder), run.input.rereadable);
  const built = mapOrdered(batches, pool.concurrency, (job) => {
    const spare = takeOutputMemory(builder, memory);
    return pool.run("buildScattered", { ...job, plan, spare }, [job.positions.buffer, ...spare]);
  });
  let done = 0;
  for await (const serialized of built) {
    await receiver.built(serialized, reader);
    memory.giveBack(serialized.buffers);
    done += serialized.rollouts.reduce((sum, { branches }) => sum + branches, 0);
    run.progress.rebuilt(done, log.size);
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
): AsyncGenerator<Pick<ScatteredJob, "inputs" | "positions">> {
  let batch: LinePosition[] = [];
  let count = 0;
  let bytes = 0;
  const toJob = () => ({
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
