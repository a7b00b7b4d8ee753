import type { Finding } from "../../findings/finding.js";
import type { CheckSummary, Report } from "../../findings/report.js";

/** Creates a finding for tests, with the given fields. */
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

/** Creates a report that lists these findings. */
export function createReport(findings: readonly Finding[], changes: Partial<Report> = {}): Report {
  const count = (severity: string): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return {
    command: "validate",
    version: "1.2.3",
    checked: 2000,
    thing: "record",
    findings,
    found: { error: count("error"), warning: count("warning") },
    notListed: { error: 0, warning: 0 },
    ...changes,
  };
}

/** A conformance run with one green check, and one check with these findings, which get its id. */
export function createCheckReport(findings: readonly Finding[]): Report {
  const report = createReport(findings.map((finding) => ({ ...finding, check: "golden" })));
  const green: CheckSummary = {
    id: "registry",
    purpose: "The registry is correct.",
    fix: "npm run generate",
    checked: [
      { count: 3, thing: "schema" },
      { count: 1, thing: "released version" },
    ],
    found: { error: 0, warning: 0 },
  };
  const red: CheckSummary = {
    id: "golden",
    purpose: "The exporter writes the same output.",
    fix: "if this change is intended: npm run cli -- check --write-golden",
    checked: [{ count: 9, thing: "output" }],
    found: report.found,
  };
  return { ...report, command: "check", checked: 13, checks: [green, red] };
}
