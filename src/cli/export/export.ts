import { createEvalIndex, type EvalIndex } from "../../decontamination/eval-index.js";
import { readEvalItems } from "../../decontamination/eval-items.js";
import type { TargetId } from "../../export/targets/index.js";
import {
  type ExportOptions,
  type OutputKind,
  resolveExportOptions,
} from "../../export/targets/target.js";
import { expandInputs, requireFiles } from "../../files/inputs.js";
import type { InputSource } from "../../files/source.js";
import { writeFiles } from "../../files/staging.js";
import type { FindingLimits } from "../../findings/finding-list.js";
import { toSafeJson } from "../../json/print.js";
import type { OutputFile } from "../../rollouts/receiver.js";
import { type Progress, SILENT } from "../../rollouts/staged-run.js";
import {
  type WriteOutcome,
  type WriteRolloutsRequest,
  writeRollouts,
} from "../../rollouts/write.js";
import { profiles, type RuleSeverities } from "../../validation/profiles.js";
import { type PlannedFiles, planFiles } from "./plan-files.js";
import { toReport, writeDescriptions } from "./report.js";

export interface ExportRequest
  extends FindingLimits,
    Partial<ExportOptions>,
    Pick<WriteRolloutsRequest, "workers" | "blockBytes"> {
  /** Files, folders and glob patterns; `-` is standard input. */
  readonly inputs: readonly string[];
  /** Undefined: the tasks are not compared with an evaluation set. */
  readonly evalItems: string | undefined;
  /** Field of the evaluation items that holds their text; undefined for the default. */
  readonly evalField?: string | undefined;
  /** Tokens per n-gram; undefined for the default. */
  readonly n?: number | undefined;
  /** Leave out rollouts that overlap the evaluation set, instead of writing nothing. */
  readonly dropContaminated?: boolean;
  /** How severe broken rules are; `strict` by default. */
  readonly severities?: RuleSeverities | undefined;
  readonly target: TargetId;
  /**
   * A file for each kind of record, where kinds that the target does not write are not looked at; or a
   * folder for a dataset.
   */
  readonly destination: Readonly<Record<OutputKind, string>> | { readonly folder: string };
  /** Leave out what is invalid, instead of writing nothing. */
  readonly skipInvalid?: boolean;
  /** File for the lines that are left out. */
  readonly rejects?: string | undefined;
  /** File for the report, which is written whether the export succeeds or not. */
  readonly report?: string | undefined;
  /** Starts to tell how far the run is, once the input files are known. */
  readonly startProgress?: (files: readonly string[]) => Promise<Progress>;
}

/** A file of an export, under the name that the user gave it. */
export interface ExportedFile {
  readonly kind: OutputKind;
  readonly path: string;
  readonly file: OutputFile;
}

export interface ExportOutcome extends Omit<WriteOutcome, "outputs"> {
  readonly request: ExportRequest;
  readonly options: ExportOptions;
  /** Undefined without an evaluation set. */
  readonly evalIndex: EvalIndex | undefined;
  readonly outputs: readonly ExportedFile[];
}

/**
 * The whole export: reads and checks the branches, compares their tasks with the evaluation set,
 * builds the records of the target and writes its files, unless there is any error.
 *
 * Throws UserError for a mistake in the request and for a file that cannot be read or written.
 */
export async function exportFiles(
  request: ExportRequest,
  source: InputSource,
): Promise<ExportOutcome> {
  const files = await expandInputs(request.inputs, source);
  const read = request.evalItems === undefined ? files : [...files, request.evalItems];
  await requireFiles(read, source);
  const planned = await planFiles(request, read, source.cwd);
  try {
    return await exportTo(planned, files, request, source);
  } finally {
    planned.removeEmptyFolders();
  }
}

async function exportTo(
  planned: PlannedFiles,
  files: readonly string[],
  request: ExportRequest,
  source: InputSource,
): Promise<ExportOutcome> {
  // Before the branches: the smaller file tells a mistake sooner.
  const evalIndex = await createIndex(request, source);
  const options = resolveExportOptions(request);
  const toOutcome = ({ outputs, ...rest }: WriteOutcome): ExportOutcome => ({
    ...rest,
    request,
    options,
    evalIndex,
    outputs: planned.outputs.flatMap(({ kind, name }, index) =>
      outputs.slice(index, index + 1).map((file) => ({ kind, path: name, file })),
    ),
  });
  const progress = (await request.startProgress?.(files)) ?? SILENT;
  const written = await writeRollouts(
    {
      files,
      builder: { id: "export", target: request.target, options },
      outputs: planned.outputs.map(({ path }) => path),
      rejects: planned.rejects?.path,
      limits: request,
      severities: request.severities ?? profiles.strict,
      workers: request.workers,
      blockBytes: request.blockBytes,
      progress,
      skipInvalid: request.skipInvalid ?? false,
      dropContaminated: request.dropContaminated ?? false,
      evalIndex,
      hashes: planned.report !== undefined || planned.dataset !== undefined,
      onComplete: (staging, complete) => writeDescriptions(planned, toOutcome(complete), staging),
    },
    source,
  ).finally(() => progress.stop());
  const outcome = toOutcome(written);
  if (!outcome.written && planned.report !== undefined) {
    await writeFiles([{ path: planned.report.path, chunks: [toSafeJson(toReport(outcome))] }]);
  }
  return outcome;
}

async function createIndex(
  { evalItems, evalField, n }: ExportRequest,
  source: InputSource,
): Promise<EvalIndex | undefined> {
  if (evalItems === undefined) return undefined;
  return createEvalIndex(await readEvalItems(evalItems, { field: evalField }, source), { n });
}
