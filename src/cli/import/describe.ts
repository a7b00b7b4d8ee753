import { describeFindings } from "../../base/findings/finding.js";
import type { FindingList } from "../../base/findings/finding-list.js";
import { escapeControls, formatCount, formatNumber } from "../../base/text.js";
import type { ImportedLogs } from "../../rollouts/pipeline/import/run.js";
import { listInvalidRollouts, type SummaryRow } from "../summary.js";

/** Summarises how logs were read, row by row. */
export function describeLogs(
  { counts, unit, recognised, notes }: ImportedLogs,
  findings: FindingList,
): SummaryRow[] {
  const skipped = [
    ...[...counts.leftOut].map(([reason, count]) => `${formatNumber(count)} ${reason}`),
    ...listed(counts.invalid, `invalid ${unit}`, `invalid ${toPlural(unit)}`),
    ...listInvalidRollouts(counts.invalidRollouts, counts.invalidBranches),
    ...listed(counts.refusedFiles, "refused file"),
    ...listed(counts.skippedSteps, "step of copied context", "steps of copied context"),
  ];
  const assumed = listed(counts.assumed, "branch without a verdict", "branches without a verdict");
  return [
    ...[...recognised].map(
      ([{ id, purpose }, count]): SummaryRow => [
        "recognised",
        `${id} (${purpose}): ${formatCount(count, "file")}`,
      ],
    ),
    [
      "read",
      `${formatCount(findings.records, unit, toPlural(unit))}, ${describeFindings(findings)}`,
    ],
    ...row("skipped", skipped),
    ...row("incomplete", findings.errors > 0 ? [] : describeLost(counts)),
    ...row("changed", counts.tally.describeChanges()),
    ...row("not read", counts.tally.describeUnread().map(escapeControls)),
    ...notes.map(([label, text]): SummaryRow => [label, escapeControls(text)]),
    ...row("assumed to pass", assumed),
  ];
}

/** What invalid records take from rollouts. */
function describeLost(counts: ImportedLogs["counts"]): string[] {
  const { incompleteRollouts: rollouts, lostBranches: lost, invalid } = counts;
  const stray = listed(invalid - lost, "invalid record", "invalid records");
  return [
    ...listed(rollouts, "rollout").map(
      (all) => `${all} lost ${formatCount(lost, "branch", "branches")}`,
    ),
    ...stray.map((records) => `${records} of no rollout that is known or left`),
  ];
}

/** The numbers of branches and rollouts. */
export function describeBranches({ counts }: ImportedLogs): string {
  const branches = formatCount(counts.branches, "branch", "branches");
  return `${branches}, ${formatCount(counts.rollouts, "rollout")}`;
}

function listed(count: number, noun: string, plural?: string): string[] {
  return count > 0 ? [formatCount(count, noun, plural)] : [];
}

function row(label: string, parts: readonly string[]): SummaryRow[] {
  return parts.length > 0 ? [[label, parts.join(", ")]] : [];
}

export function toPlural(unit: string): string {
  return unit.endsWith("y") ? `${unit.slice(0, -1)}ies` : `${unit}s`;
}
