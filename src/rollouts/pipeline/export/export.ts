import { expandInputs, requireFiles } from "../../../base/files/inputs.js";
import type { InputSource } from "../../../base/files/source.js";
import { type FileStaging, withStaging } from "../../../base/files/staging.js";
import { toSafeJson } from "../../../base/json/print.js";
import { SILENT } from "../../../base/run/staged-run.js";
import { openEvalIndex } from "../../wire/decontamination/eval-index.js";
import { resolveExportOptions } from "../../wire/export/targets/target.js";
import { profiles } from "../../wire/validation/profiles.js";
import { type WriteOutcome, writeRollouts } from "../write.js";
import { readEvaluation, requireAdditive } from "./evaluation.js";
import { type PlannedFiles, planFiles } from "./plan-files.js";
import { toReport, writeDescriptions } from "./report.js";
import type { ExportOutcome, ExportRequest } from "./request.js";
import { PLAIN, toOutputPlan } from "./storage.js";

/**
 * Runs an export: reads and checks the branches, compares their tasks with the evaluation set, builds the
 * records of the target, and writes its files unless there is an error.
 *
 * Throws UserError for a mistake in the request and for a file that cannot be read or written.
 */
export async function exportFiles(
  request: ExportRequest,
  source: InputSource,
): Promise<ExportOutcome> {
  const files = await expandInputs(request.inputs, source);
  const sets = [request.evalItems, request.evalIndex].filter((file) => file !== undefined);
  const read = [...files, ...sets];
  await requireFiles(read, source);
  return await withStaging(request, async (staging) => {
    const kept = [...read, ...(request.redactionFiles ?? []), ...(request.shard?.siblings ?? [])];
    const planned = await planFiles(request, kept, { cwd: source.cwd, staging });
    return await exportTo({ planned, staging }, files, request, source);
  });
}

async function exportTo(
  { planned, staging }: { readonly planned: PlannedFiles; readonly staging: FileStaging },
  files: readonly string[],
  request: ExportRequest,
  source: InputSource,
): Promise<ExportOutcome> {
  // Read before the branches, because the smaller file reveals a mistake sooner.
  const evalSet = await readEvaluation(request, source);
  if (request.shard && evalSet) requireAdditive(evalSet, request.shard, request.boilerplateShare);
  const evalIndex = evalSet && openEvalIndex(evalSet.indexed, request);
  const options = resolveExportOptions(request);
  const toOutcome = ({ outputs, ...rest }: WriteOutcome): ExportOutcome => ({
    ...rest,
    request,
    options,
    evalIndex,
    evalFile: evalSet?.file,
    outputs: planned.outputs.flatMap(({ kind, name }, index) =>
      outputs.slice(index, index + 1).map((output) => ({ kind, path: name, output })),
    ),
  });
  const progress = (await request.startProgress?.(files)) ?? SILENT;
  const written = await writeRollouts(
    {
      files,
      builder: {
        id: "export",
        target: request.target,
        kinds: planned.outputs.map(({ kind }) => kind),
        options,
        redaction: request.redaction,
      },
      outputs: planned.outputs.map((file) =>
        toOutputPlan(file, request.target, request.storage ?? PLAIN),
      ),
      rejects: planned.rejects?.path,
      limits: request,
      severities: request.severities ?? profiles.strict,
      workers: request.workers,
      blockBytes: request.blockBytes,
      progress,
      skipInvalid: request.skipInvalid ?? false,
      mayBeEmpty: request.mayBeEmpty === true || request.shard !== undefined,
      dropContaminated: request.dropContaminated ?? false,
      evalIndex,
      hashes: planned.report !== undefined || planned.dataset !== undefined,
      staging,
      onComplete: (_, complete) => writeDescriptions(planned, toOutcome(complete), staging),
    },
    source,
  ).finally(() => progress.stop());
  const outcome = toOutcome(written);
  if (!outcome.written && planned.report !== undefined) {
    await staging.write(planned.report.path, [toSafeJson(toReport(outcome))]);
    await staging.commit();
  }
  return outcome;
}
