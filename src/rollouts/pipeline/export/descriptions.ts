import type { ExportReport, ReportedFile } from "#generated/index.js";
import { sha256 } from "../../../base/files/hash.js";
import type { FileStaging } from "../../../base/files/staging.js";
import { toSafeJson } from "../../../base/json/print.js";
import { type TargetId, targets } from "../../wire/export/targets/index.js";
import type { RecordOutput } from "../record-output.js";
import { toDatasetCard } from "./dataset-card.js";
import { CARD } from "./dataset-folder.js";
import type { DatasetFiles, PlannedFiles } from "./plan-files.js";
import { groupOutputs } from "./storage.js";

/** What a description is about. */
interface Described {
  readonly target: TargetId;
  readonly outputs: readonly RecordOutput[];
  readonly staging: FileStaging;
}

/** Writes the files that describe the records, which are committed together with them; without records, only the report. */
export async function writeDescriptions(
  { report: reportFile, dataset }: PlannedFiles,
  report: ExportReport,
  { target, outputs, staging }: Described,
): Promise<void> {
  let complete = report;
  if (report.written && dataset !== undefined) {
    // The dataset loader fails on a split without records.
    for (const output of outputs) if (output.records === 0) output.omit();
    complete = await writeDataset(dataset, report, target, staging);
  }
  if (reportFile !== undefined) await staging.write(reportFile, [toSafeJson(complete)]);
}

/**
 * Writes the files of a dataset folder that hold no records, and removes those of a former export. Returns the manifest:
 * the report with these files.
 */
export async function writeDataset(
  dataset: DatasetFiles,
  report: ExportReport,
  target: TargetId,
  staging: FileStaging,
): Promise<ExportReport> {
  const described = describeDataset(dataset, report, target);
  const descriptions = described.map(({ name, text }): ReportedFile => {
    return { file: name, bytes: Buffer.byteLength(text), sha256: sha256(text) };
  });
  const manifest = { ...report, descriptions };
  for (const { path, text } of described) await staging.write(path, [text]);
  for (const path of dataset.former) await staging.remove(path);
  // Last, so that whoever finds it finds all that it lists.
  await staging.write(dataset.manifest, [toSafeJson(manifest)]);
  return manifest;
}

/** The files of a dataset folder, except the manifest, that hold no records. */
function describeDataset(
  { card, description: file }: DatasetFiles,
  report: ExportReport,
  target: TargetId,
): { readonly name: string; readonly path: string; readonly text: string }[] {
  const written = Object.fromEntries(
    groupOutputs(report.outputs).map(({ kind, place }) => [kind, place]),
  );
  const description = targets[target].describeDataset?.(written);
  return [
    { name: CARD, path: card, text: toDatasetCard(report, target) },
    ...(description === undefined || file === undefined
      ? []
      : [{ name: description.name, path: file, text: toSafeJson(description.value) }]),
  ];
}
