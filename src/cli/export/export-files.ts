import type { FindingLimits } from "../../../conformance/finding-list.js";
import { createEvalIndex, type EvalIndex } from "../../decontamination/create-eval-index.js";
import { readEvalItems } from "../../decontamination/read-eval-items.js";
import { type ExportOptions, resolveExportOptions } from "../../export/export-options.js";
import { outputKinds } from "../../export/output-kinds.js";
import { type TargetId, targets } from "../../export/targets/index.js";
import type { OutputKind } from "../../export/targets/target.js";
import { expandInputs } from "../../records/expand-inputs.js";
import type { InputSource } from "../../records/input-source.js";
import { requireFiles } from "../../records/require-files.js";
import type { OutputFile } from "../rollouts/output-file.js";
import { resolveOutputs } from "../rollouts/resolve-outputs.js";
import { type WriteOutcome, writeRollouts } from "../rollouts/write-rollouts.js";

export interface ExportRequest extends FindingLimits, Partial<ExportOptions> {
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
  readonly target: TargetId;
  /** File for each kind of record; kinds that the target does not write are not looked at. */
  readonly outputs: Readonly<Record<OutputKind, string>>;
  /** Leave out what is invalid, instead of writing nothing. */
  readonly skipInvalid?: boolean;
  /** File for the lines that are left out. */
  readonly rejects?: string | undefined;
  /** Threads, from 1. */
  readonly workers: number;
  /** Least bytes of lines that a thread works on at a time. */
  readonly blockBytes?: number;
}

/** A file of an export, under the name that the user gave it. */
export interface ExportedFile {
  readonly kind: OutputKind;
  readonly path: string;
  readonly file: OutputFile;
}

export interface ExportOutcome extends Omit<WriteOutcome, "outputs"> {
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
  const kinds = outputKinds(targets[request.target]);
  const named = kinds.map((kind) => request.outputs[kind]);
  const written = request.rejects === undefined ? named : [...named, request.rejects];
  const paths = await resolveOutputs(written, read, source.cwd);
  // Before the branches: the smaller file tells a mistake sooner.
  const evalIndex = await createIndex(request, source);
  const outcome = await writeRollouts(
    {
      files,
      builder: { id: "export", target: request.target, options: resolveExportOptions(request) },
      outputs: paths.slice(0, kinds.length),
      rejects: paths[kinds.length],
      limits: request,
      workers: request.workers,
      blockBytes: request.blockBytes,
      skipInvalid: request.skipInvalid ?? false,
      evalIndex,
      dropContaminated: request.dropContaminated ?? false,
    },
    source,
  );
  const outputs = outcome.outputs.flatMap((file, index) => {
    const kind = kinds[index];
    const path = named[index];
    return kind === undefined || path === undefined ? [] : [{ kind, path, file }];
  });
  return { ...outcome, evalIndex, outputs };
}

async function createIndex(
  { evalItems, evalField, n }: ExportRequest,
  source: InputSource,
): Promise<EvalIndex | undefined> {
  if (evalItems === undefined) return undefined;
  return createEvalIndex(await readEvalItems(evalItems, { field: evalField }, source), { n });
}
