import { join } from "node:path";
import { ScratchFile } from "../../base/files/scratch-file.js";
import type { InputSource } from "../../base/files/source.js";
import type { FileStaging } from "../../base/files/staging.js";
import { type FindingList, toPartLimits } from "../../base/findings/finding-list.js";
import {
  type FileBlocksOptions,
  type ReadInput,
  StoredBytes,
} from "../../base/jsonl/file-blocks.js";
import { runStaged, SILENT, type Stage, type StagedRequest } from "../../base/run/staged-run.js";
import type { EvalIndex } from "../wire/decontamination/eval-index.js";
import type { RuleSeverities } from "../wire/validation/profiles.js";
import type { BuilderPlan } from "./builder.js";
import { buildRollouts } from "./pipeline.js";
import { OutputReceiver, type Rejects } from "./receiver.js";
import { type OutputPlan, RecordOutput } from "./record-output.js";
import { createRejectRedactor } from "./rejects.js";

export interface WriteRolloutsRequest extends StagedRequest, Pick<FileBlocksOptions, "blockBytes"> {
  readonly severities: RuleSeverities;
  readonly builder: BuilderPlan;
  /** In the order of the builder's outputs. */
  readonly outputs: readonly OutputPlan[];
  /** Threads, from 1. */
  readonly workers: number;
  /** The evaluation set that no task may overlap. Undefined: tasks are not compared. */
  readonly evalIndex?: EvalIndex | undefined;
  /** Omit rollouts that overlap it, with a warning, instead of writing nothing. */
  readonly dropContaminated?: boolean;
  /** Whether inputs and outputs are hashed. */
  readonly hashes?: boolean;
  /** Adds files to those that are committed. Called after all records are written. */
  readonly onComplete?: (staging: FileStaging, outcome: WriteOutcome) => Promise<void>;
}

/** What was read and written. */
export interface WriteOutcome {
  readonly findings: FindingList;
  readonly inputs: readonly ReadInput[];
  readonly receiver: OutputReceiver;
  /** In the order of the builder's outputs. */
  readonly outputs: readonly RecordOutput[];
  /** Whether the outputs were committed. False if there were errors. */
  readonly written: boolean;
}

/**
 * Builds records of rollouts and writes them atomically: see `buildRollouts` and `runStaged`. Throws UserError
 * (exit 3) if a file cannot be read or written.
 */
export function writeRollouts(
  request: WriteRolloutsRequest,
  source: InputSource,
): Promise<WriteOutcome> {
  return runStaged((stage) => writeStaged(request, source, stage), request.staging);
}

async function writeStaged(
  request: WriteRolloutsRequest,
  source: InputSource,
  stage: Stage,
): Promise<WriteOutcome> {
  const {
    files,
    builder,
    limits,
    workers,
    blockBytes,
    hashes = false,
    skipInvalid,
    progress = SILENT,
  } = request;
  const outputs: RecordOutput[] = [];
  for (const output of request.outputs)
    outputs.push(await RecordOutput.open(output, stage.staging, hashes));
  const rejects = await openRejects(request, stage);
  const receiver = new OutputReceiver({
    limits,
    index: request.evalIndex,
    dropContaminated: request.dropContaminated ?? false,
    outputs,
    rejects,
  });
  const stored = new StoredBytes(files, hashes);
  const severities = skipInvalid ? allowGaps(request.severities) : request.severities;
  const { maxErrors } = toPartLimits(limits);
  const keepRejects = rejects !== undefined;
  const plan = { builder, severities, maxErrors, skipInvalid, keepRejects };
  const onStored = (input: number, chunk: Uint8Array): void => {
    stored.add(input, chunk);
    progress.read(chunk.length, receiver.lines);
  };
  const { folder } = stage;
  const run = { files, plan, workers, folder, blockBytes, onStored, progress };
  await buildRollouts(run, receiver, source);
  for (const chunk of rejects?.rollouts.read() ?? []) await rejects?.lines.write(chunk);
  const findings = receiver.findings();
  if (findings.errors === 0 && request.mayBeEmpty !== true) {
    const { faulty, contaminated } = receiver.counts;
    findings.addNoRecords(files, receiver.rejected + faulty.branches + contaminated.branches);
  }
  const written = findings.errors === 0;
  if (written) for (const output of outputs) await output.finish();
  const outcome = { findings, inputs: stored.inputs(), receiver, outputs, written };
  if (written) await request.onComplete?.(stage.staging, outcome);
  return outcome;
}

/** An omitted line leaves a gap in the ranks of its rollout, which is still exported. */
export function allowGaps(severities: RuleSeverities): RuleSeverities {
  if (severities["rank-permutation"] !== "error") return severities;
  return { ...severities, "rank-permutation": "warning" };
}

async function openRejects(
  { rejects, builder }: WriteRolloutsRequest,
  { staging, folder, closing }: Stage,
): Promise<Rejects | undefined> {
  if (rejects === undefined) return undefined;
  const lines = await staging.open(rejects);
  const redaction = builder.id === "export" ? builder.redaction : undefined;
  return {
    lines,
    rollouts: closing(new ScratchFile(join(folder, "rejected-rollouts"))),
    prepare: redaction ? createRejectRedactor(redaction) : (bytes) => bytes,
  };
}
