import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ExportReport, isExportReport, type ReportedOutput } from "#generated/index.js";
import { readText } from "../../base/files/inputs.js";
import { STDIN } from "../../base/files/source.js";
import { toSafeJson } from "../../base/json/print.js";
import { isJsonObject } from "../../base/json/value.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import { toDatasetCard } from "../../rollouts/pipeline/export/dataset-card.js";
import { CARD, MANIFEST } from "../../rollouts/pipeline/export/dataset-folder.js";
import { mergeReports } from "../../rollouts/pipeline/merge/merge-reports.js";
import { isTargetId } from "../../rollouts/wire/export/targets/index.js";
import type { CommandContext } from "../command.js";

/**
 * Joins the reports of partitions, and writes the manifest and the card of their dataset. Standard input is JSONL: an object
 * with `outputs`, the files that the engine wrote, and then the reports in the order of the partitions.
 *
 * Throws UserError (exit 2) if standard input holds something else.
 */
export async function mergePartitions(
  _argv: readonly string[],
  context: Pick<CommandContext, "stdin" | "cwd">,
): Promise<ExitCode> {
  const lines = (await readText(STDIN, context)).split("\n").filter((line) => line !== "");
  const [head, ...reports] = lines.map(parse);
  const outputs = isJsonObject(head) ? head.outputs : undefined;
  if (!Array.isArray(outputs)) throw refuse("its first line names no outputs");
  const [first, ...others] = reports.map(requireReport);
  if (first === undefined) throw refuse("it holds no report");
  const merged = mergeReports([first, ...others], outputs);
  if (!isExportReport(merged)) throw refuse("its outputs are not those of a report");
  if (!isTargetId(merged.target)) throw refuse(`no export target is called ${merged.target}`);
  const card = toDatasetCard({ ...merged, outputs: toPatterns(merged.outputs) }, merged.target);
  writeFileSync(join(context.cwd, CARD), card);
  writeFileSync(join(context.cwd, MANIFEST), toSafeJson(merged));
  return EXIT.ok;
}

/** The files of each kind as one entry, as a card names them: its loader takes a pattern. */
function toPatterns(outputs: readonly ReportedOutput[]): ReportedOutput[] {
  const kinds = new Map<string, ReportedOutput>();
  for (const output of outputs) {
    const known = kinds.get(output.kind) ?? { ...output, records: 0, bytes: 0 };
    const extension = /\.[a-z.]+$/.exec(output.file)?.[0] ?? "";
    kinds.set(output.kind, {
      ...known,
      file: `${output.kind}/part-*${extension}`,
      records: known.records + output.records,
      bytes: known.bytes + output.bytes,
    });
  }
  return [...kinds.values()];
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw refuse("a line is not JSON");
  }
}

function requireReport(value: unknown): ExportReport {
  if (isExportReport(value)) return value;
  throw refuse("a line is no report of an export");
}

function refuse(problem: string): UserError {
  return new UserError(`<stdin>: cannot be merged: ${problem}`, EXIT.usage);
}
