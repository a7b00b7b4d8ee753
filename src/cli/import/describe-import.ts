import { describeFindings } from "../../findings/finding.js";
import type { ImportOutcome } from "../../rollouts/import/run.js";
import { escapeControls, formatCount, formatNumber } from "../../text.js";
import type { SummaryRow } from "../format-rows.js";

/** What an import did, for the summary; `unit` is what a record of the log is called. */
export function describeImport(
  { findings, counts, written }: ImportOutcome,
  unit: string,
  output: string,
): SummaryRow[] {
  const leftOut = [
    ...[...counts.leftOut].map(([reason, count]) => `${formatNumber(count)} ${reason}`),
    ...listed(counts.invalid, `invalid ${unit}`, `invalid ${toPlural(unit)}`),
    ...listed(counts.invalidRollouts, "invalid rollout"),
    ...listed(counts.refusedFiles, "refused file"),
  ];
  const imported = [formatCount(counts.branches, "branch", "branches")];
  imported.push(formatCount(counts.rollouts, "rollout"));
  return [
    [
      "read",
      `${formatCount(findings.records, unit, toPlural(unit))}, ${describeFindings(findings)}`,
    ],
    ...row("left out", leftOut),
    ...row(
      "skipped",
      listed(counts.skippedSteps, "step of copied context", "steps of copied context"),
    ),
    written
      ? ["import", `${escapeControls(output)}  ${imported.join(", ")}`]
      : ["import", "nothing written: mend the errors first"],
  ];
}

function listed(count: number, noun: string, plural?: string): string[] {
  return count > 0 ? [formatCount(count, noun, plural)] : [];
}

function row(label: string, parts: readonly string[]): SummaryRow[] {
  return parts.length > 0 ? [[label, parts.join(", ")]] : [];
}

function toPlural(unit: string): string {
  return unit.endsWith("y") ? `${unit.slice(0, -1)}ies` : `${unit}s`;
}
