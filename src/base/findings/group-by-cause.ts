import { causeOf, groupFindings } from "./causes.js";
import type { Finding, Severity } from "./finding.js";
import type { Report, SeverityCounts } from "./report.js";

/** A finding that is shown, with those of the same cause that are not. */
export interface ShownFinding {
  readonly finding: Finding;
  /** Number of further findings with its cause in the same file, listed or not. */
  readonly more: number;
  /** How all of them are fixed, if the cause says it and no finding before has the same fix. */
  readonly fix: string | undefined;
}

/** The findings of a report, each cause once. */
export interface GroupedFindings {
  readonly shown: readonly ShownFinding[];
  /** Number of findings that are neither shown nor counted with one that is. */
  readonly rest: SeverityCounts;
}

/** The places of fewer findings are worth their lines. */
const MIN_GROUP = 5;

/** Tells how to fix what many findings have in common, by the first of them; undefined if nothing is known. */
export type FindFix = (finding: Finding) => string | undefined;

/** Groups the findings about records by their causes, in the order of the first of each. */
export function groupByCause(
  {
    findings,
    notListed,
    unlistedCauses,
    thing,
  }: Pick<Report, "findings" | "notListed" | "unlistedCauses" | "thing">,
  findFix: FindFix = () => undefined,
): GroupedFindings {
  const groups = groupFindings(findings, (finding) =>
    thing === "record" && finding.detail === undefined ? causeOf(finding) : undefined,
  );
  const rest: Record<Severity, number> = { ...notListed };
  const shown = new Map<Finding, ShownFinding>();
  const fixes = new Set<string>();
  for (const [cause, group] of groups) {
    const [first] = group;
    const unlisted = unlistedCauses?.get(cause) ?? 0;
    const total = group.length + unlisted;
    if (first === undefined) continue;
    if (total < MIN_GROUP && unlisted === 0) {
      for (const finding of group) shown.set(finding, { finding, more: 0, fix: undefined });
      continue;
    }
    rest[first.severity] -= unlisted;
    const found = findFix(first);
    const fix = found !== undefined && fixes.has(found) ? undefined : found;
    if (fix !== undefined) fixes.add(fix);
    shown.set(first, { finding: first, more: total - 1, fix });
  }
  return { shown: findings.flatMap((finding) => shown.get(finding) ?? []), rest };
}
