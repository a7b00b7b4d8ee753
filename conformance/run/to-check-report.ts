import { type FindingLimits, FindingList } from "../../src/findings/finding-list.js";
import type { CheckSummary, Report } from "../../src/reporters/reporter.js";
import type { CheckResult } from "./run-checks.js";

export interface CheckReportOptions {
  readonly limits: FindingLimits;
  /** How a file is named that a check names relative to the checkout. */
  toName(file: string): string;
}

/** A conformance run as every reporter prints it. */
export function toCheckReport(
  results: readonly CheckResult[],
  { limits, toName }: CheckReportOptions,
): Report {
  const list = new FindingList(limits);
  const checks = results.map(({ check, checked, findings }): CheckSummary => {
    const { id, purpose, mend } = check;
    const found = { error: 0, warning: 0 };
    for (const finding of findings) {
      const judged = list.addLocated({ ...finding, check: id, file: toName(finding.file) });
      found[judged.severity] += 1;
    }
    return { id, purpose, mend, checked, found };
  });
  const counts = checks.flatMap(({ checked }) => checked.map(({ count }) => count));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { ...list.toReport("check"), checked: total, thing: "thing", checks };
}
