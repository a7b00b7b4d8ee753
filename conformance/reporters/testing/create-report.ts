import type { Finding } from "../../finding.js";
import type { Report } from "../reporter.js";

/** A finding for tests, with the given fields. */
export function createFinding(changes: Partial<Finding> = {}): Finding {
  return {
    id: "enum",
    severity: "error",
    file: "runs/a,b:c.jsonl",
    line: 12,
    column: 207,
    pointer: "/objective_score",
    message: "must be 0 or 1, is 7",
    ...changes,
  };
}

/** A report of these findings, all of them listed. */
export function createReport(findings: readonly Finding[], changes: Partial<Report> = {}): Report {
  const count = (severity: string): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return {
    command: "validate",
    version: "1.2.3",
    checked: 2000,
    findings,
    found: { error: count("error"), warning: count("warning") },
    notListed: { error: 0, warning: 0 },
    ...changes,
  };
}
