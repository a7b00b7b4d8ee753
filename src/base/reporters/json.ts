import {
  type CheckReport,
  FINDING_REPORT_REPORT_VERSION,
  FINDING_REPORT_TOOL,
  type FindingReport,
  type SeverityCounts as ReportedCounts,
} from "#generated/index.js";
import type { CheckSummary, Report, SeverityCounts } from "../findings/report.js";
import { toSafeJson } from "../json/print.js";
import type { Reporter } from "./reporter.js";

/** One object for programs, described by `finding-report#/$defs/FindingReport`. */
export const json: Reporter = {
  id: "json",
  purpose: "one JSON object, for programs",
  print: (report) => toSafeJson(toFindingReport(report)),
};

/** Converts a report to the format `finding-report`. */
export function toFindingReport(report: Report): FindingReport {
  const { version, command, checked, checks, findings, found, notListed } = report;
  return {
    report_version: FINDING_REPORT_REPORT_VERSION,
    tool: FINDING_REPORT_TOOL,
    version,
    command,
    checked,
    ...(checks && { checks: checks.filter(({ waitsFor }) => !waitsFor).map(toCheckReport) }),
    findings: findings.map(({ cause: _, ...finding }) => finding),
    summary: { ...toCounts(found), not_listed: toCounts(notListed) },
  };
}

function toCheckReport({ id, purpose, fix, checked, found }: CheckSummary): CheckReport {
  const things = checked.map(({ count, thing, names }) => {
    return { count, thing, ...(names && { names: [...names] }) };
  });
  return { id, purpose, fix, checked: things, found: toCounts(found) };
}

/** Counts in the format of the published reports. */
export function toCounts({ error, warning }: SeverityCounts): ReportedCounts {
  return { errors: error, warnings: warning };
}
