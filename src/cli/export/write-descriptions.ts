import { targets } from "../../export/targets/index.js";
import type { OutputKind } from "../../export/targets/target.js";
import type { FileStaging } from "../../files/staging.js";
import { toSafeJson } from "../../json/print.js";
import type { ExportOutcome } from "./export-files.js";
import { type PlannedFiles, shardName } from "./plan-files.js";
import { toDatasetCard } from "./to-dataset-card.js";
import { toReport } from "./to-report.js";

/** Adds what is said of the records to the files that come into place with them. */
export async function writeDescriptions(
  { report: reportFile, dataset }: PlannedFiles,
  outcome: ExportOutcome,
  staging: FileStaging,
): Promise<void> {
  if (reportFile === undefined && dataset === undefined) return;
  const report = toReport(outcome);
  const write = async (path: string, text: string): Promise<void> => {
    const file = await staging.open(path);
    await file.write(text);
  };
  if (reportFile !== undefined) await write(reportFile.path, toSafeJson(report));
  if (dataset === undefined) return;
  const { target } = outcome.request;
  const { temperatures, branchesPerRollout: branches } = outcome.receiver.counts;
  // The loader would stop at a split without records.
  for (const { file } of outcome.outputs) if (file.records === 0) file.omit();
  await write(dataset.card.path, toDatasetCard(report, target, { temperatures, branches }));
  await write(dataset.manifest.path, toSafeJson(report));
  for (const path of dataset.stale) (await staging.open(path)).omit();
  const description = targets[target].describeDataset?.(writtenFiles(outcome));
  if (description === undefined || dataset.description === undefined) return;
  await write(dataset.description.path, toSafeJson(description.value));
}

/** Names of the files with records, in the dataset folder. */
function writtenFiles({ outputs }: ExportOutcome): Partial<Record<OutputKind, string>> {
  const written = outputs.filter(({ file }) => file.records > 0);
  return Object.fromEntries(written.map(({ kind }) => [kind, shardName(kind)]));
}
