import { describeFindings } from "../../../conformance/describe-findings.js";
import { escapeControls } from "../../records/escape-controls.js";
import { formatCount } from "../../records/format-count.js";
import type { SummaryRow } from "../format-rows.js";
import type { Decontamination, ExportOutcome } from "./export-files.js";
import type { OutputPaths } from "./resolve-outputs.js";

/**
 * What an export did, row by row: what was checked, what the tasks were compared with, where the
 * files are, and what is not in them and why. `skipped` is said when there was no evaluation set.
 */
export function describeExport(
  outcome: ExportOutcome,
  outputs: OutputPaths,
  skipped: string,
): SummaryRow[] {
  const { decontamination, exported, input } = outcome;
  const validated: SummaryRow = ["validate", describeInput(outcome)];
  const nothing: SummaryRow = ["export", "nothing written: mend the errors first"];
  if (exported === undefined && decontamination === undefined) {
    return [validated, ...describeUnranked(outcome), nothing];
  }
  const compared: SummaryRow = [
    "decontamination",
    decontamination ? describeComparison(decontamination, input.tasks.length) : skipped,
  ];
  if (exported === undefined) return [validated, compared, nothing];
  return [validated, compared, ...describeFiles(exported, outputs)];
}

function describeInput({ findings, input, decontamination }: ExportOutcome): string {
  const { warnings, warningIds } = findings;
  const errors = findings.errors - (decontamination?.overlaps ?? 0);
  const invalid = findings.records - input.branches.length;
  return [
    formatCount(input.branches.length, "branch", "branches"),
    formatCount(input.rollouts, "rollout"),
    ...(invalid > 0 ? [formatCount(invalid, "invalid record")] : []),
    describeFindings({ errors, warnings, warningIds }),
  ].join(", ");
}

function describeUnranked({ input: { unranked } }: ExportOutcome): SummaryRow[] {
  if (unranked === 0) return [];
  const records = formatCount(
    unranked,
    "record is an unranked branch",
    "records are unranked branches",
  );
  return [["", `${records} (RolloutBranch): score and rank before the export`]];
}

function describeComparison({ index, overlaps }: Decontamination, tasks: number): string {
  const { n, itemCount, emptyItems } = index;
  const wordless =
    emptyItems.length > 0 ? ` (${emptyItems.length} without a word match nothing)` : "";
  const verdict = overlaps === 0 ? "clean" : formatCount(overlaps, "overlap");
  const items = formatCount(itemCount, "evaluation item");
  return `${formatCount(tasks, "task")} against ${items}${wordless}, n = ${n}: ${verdict}`;
}

function describeFiles(
  exported: NonNullable<ExportOutcome["exported"]>,
  outputs: OutputPaths,
): SummaryRow[] {
  const { dpo, ppo, notPaired, unreadableToolEvents } = exported;
  const [dpoPath, ppoPath] = [escapeControls(outputs.dpo), escapeControls(outputs.ppo)];
  const pathWidth = Math.max(dpoPath.length, ppoPath.length);
  const counts = [dpo.length, ppo.length].map((count) => count.toLocaleString("en-US"));
  const countWidth = Math.max(...counts.map((count) => count.length));
  const [pairs = "", records = ""] = counts.map((count) => count.padStart(countWidth));
  const reasons = [...notPaired].map(
    ([reason, count]) => `${count.toLocaleString("en-US")} ${reason}`,
  );
  const leftOut = formatCount(unreadableToolEvents.length, "tool event");
  return [
    ["export", `${dpoPath.padEnd(pathWidth)}  ${pairs} ${dpo.length === 1 ? "pair" : "pairs"}`],
    ["", `${ppoPath.padEnd(pathWidth)}  ${records} ${ppo.length === 1 ? "record" : "records"}`],
    ["not paired", reasons.join(", ") || "none"],
    ...(unreadableToolEvents.length > 0
      ? [["left out", `${leftOut}: neither a call nor a result`] as const]
      : []),
  ];
}
