import { join } from "node:path";
import { type Progress, SILENT } from "../cli/progress.js";
import type { EvalIndex } from "../decontamination/eval-index.js";
import type { InputSource } from "../files/source.js";
import { type FileStaging, stageFiles } from "../files/staging.js";
import { createTempFolder } from "../files/temp.js";
import { type FindingLimits, type FindingList, toPartLimits } from "../findings/finding-list.js";
import { addNoRecords } from "../validation/check-block.js";
import type { RuleSeverities } from "../validation/profiles.js";
import type { BuilderPlan } from "./builders.js";
import { type FileBlocksOptions, type ReadInput, StoredBytes } from "./file-blocks.js";
import { buildRollouts } from "./pipeline.js";
import { OutputFile, OutputReceiver, type Rejects } from "./receiver.js";
import { ScratchFile } from "./rejects.js";

export interface WriteRolloutsRequest extends Pick<FileBlocksOptions, "blockBytes"> {
  /** Input files, `-` for standard input. */
  readonly files: readonly string[];
  readonly builder: BuilderPlan;
  /** Absolute paths, in the order of the builder's outputs. */
  readonly outputs: readonly string[];
  readonly limits: FindingLimits;
  readonly severities: RuleSeverities;
  /** Threads, from 1. */
  readonly workers: number;
  /** Leave out what is invalid, with a warning, instead of writing nothing. */
  readonly skipInvalid: boolean;
  /** Absolute path for the lines that are left out; undefined: they are not kept. */
  readonly rejects?: string | undefined;
  /** What no task may overlap; undefined: the tasks are not compared. */
  readonly evalIndex?: EvalIndex | undefined;
  /** Leave out what overlaps, with a warning, instead of writing nothing. */
  readonly dropContaminated?: boolean;
  /** Whether inputs and outputs are hashed. */
  readonly hashes?: boolean;
  /** Is told how far the run is. */
  readonly progress?: Progress | undefined;
  /** Adds what else is to come into place with the outputs; called when all records are written. */
  readonly onComplete?: (staging: FileStaging, outcome: WriteOutcome) => Promise<void>;
}

/** What was read, and what came of it. */
export interface WriteOutcome {
  readonly findings: FindingList;
  readonly inputs: readonly ReadInput[];
  readonly receiver: OutputReceiver;
  /** In the order of the builder's outputs. */
  readonly outputs: readonly OutputFile[];
  /** Whether the outputs are in place; not so when an error forbade it. */
  readonly written: boolean;
}

/**
 * Makes records of rollouts and writes them, all files or none: see `buildRollouts` and `stageFiles`.
 * Throws UserError (exit 3) for a file that cannot be read or written.
 */
export async function writeRollouts(
  request: WriteRolloutsRequest,
  source: InputSource,
): Promise<WriteOutcome> {
  const folder = createTempFolder();
  const staging = stageFiles();
  try {
    return await writeStaged(request, source, staging, folder.path);
  } finally {
    await staging.close().finally(() => folder.remove());
  }
}

async function writeStaged(
  request: WriteRolloutsRequest,
  source: InputSource,
  staging: FileStaging,
  folder: string,
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
  const outputs: OutputFile[] = [];
  for (const path of request.outputs)
    outputs.push(new OutputFile(await staging.open(path), hashes));
  const rejects = await openRejects(request, staging, folder);
  const receiver = new OutputReceiver({
    limits,
    index: request.evalIndex,
    dropContaminated: request.dropContaminated ?? false,
    outputs,
    rejects,
  });
  const stored = new StoredBytes(files, hashes);
  const severities = skipInvalid ? bearGaps(request.severities) : request.severities;
  const plan = { builder, severities, maxErrors: toPartLimits(limits).maxErrors, skipInvalid };
  const onStored = (input: number, chunk: Uint8Array): void => {
    stored.add(input, chunk);
    progress.read(chunk.length, receiver.lines);
  };
  try {
    const run = { files, plan, workers, folder, blockBytes, onStored, progress };
    await buildRollouts(run, receiver, source);
    for (const chunk of rejects?.rollouts.read() ?? []) await rejects?.lines.write(chunk);
  } finally {
    rejects?.rollouts.close();
  }
  const findings = receiver.findings();
  if (findings.errors === 0) {
    const { faulty, contaminated } = receiver.counts;
    addNoRecords(findings, files, receiver.rejected + faulty.branches + contaminated.branches);
  }
  const written = findings.errors === 0;
  const outcome = { findings, inputs: stored.inputs(), receiver, outputs, written };
  if (!written) return outcome;
  await request.onComplete?.(staging, outcome);
  await staging.commit();
  return outcome;
}

/** A line that is left out leaves a gap in the ranks of its rollout, which is exported without it. */
function bearGaps(severities: RuleSeverities): RuleSeverities {
  if (severities["rank-permutation"] !== "error") return severities;
  return { ...severities, "rank-permutation": "warning" };
}

async function openRejects(
  { rejects }: WriteRolloutsRequest,
  staging: FileStaging,
  folder: string,
): Promise<Rejects | undefined> {
  if (rejects === undefined) return undefined;
  const lines = await staging.open(rejects);
  return { lines, rollouts: new ScratchFile(join(folder, "rejected-rollouts")) };
}
