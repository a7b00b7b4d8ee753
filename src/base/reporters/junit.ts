import type { Finding, Severity } from "../findings/finding.js";
import type { CheckSummary, Report } from "../findings/report.js";
import { escapeControls, formatCount } from "../text.js";
import type { Reporter } from "./reporter.js";
import { describeChecked, describeVerdict } from "./text.js";

/** One case of a suite: failed, passed with output, or passed. */
interface Case {
  readonly id: string;
  readonly name: string;
  readonly severity?: Severity;
  readonly message?: string;
  /** Further lines. */
  readonly detail?: string;
  /** Why it was not run. */
  readonly skipped?: string;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

/**
 * One suite per file, or per check of a conformance run, with one failed case per error. Warnings are passed
 * cases with their text. Unlisted findings are a case too, so that every run with an error has a failure.
 */
export const junit: Reporter = {
  id: "junit",
  purpose: "JUnit XML, for test reports of CI systems",
  print(report) {
    const { checks, findings } = report;
    const parts = checks ? toCheckSuites(checks, findings) : toFileSuites(findings);
    const suites = [...parts, ...toRunSuites(report)];
    const name = `rollout-wire ${report.command}`;
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites ${attributes({ name, ...countCases(suites.flatMap(({ cases }) => cases)) })}>`,
      ...suites.flatMap(printSuite),
      "</testsuites>",
      "",
    ].join("\n");
  },
};

/** A check without findings is a passed case that says what it examined. */
function toCheckSuites(checks: readonly CheckSummary[], findings: readonly Finding[]): Suite[] {
  return checks.map((check) => {
    const { id, purpose, found, waitsFor } = check;
    if (waitsFor !== undefined) {
      const skipped: Case = { id, name: purpose, skipped: describeVerdict(check) };
      return { name: id, cases: [skipped] };
    }
    const cases = findings.filter((finding) => finding.check === id).map(toCase);
    const passed: Case = { id, name: `${purpose} (${describeChecked(check)})` };
    return { name: id, cases: found.error === 0 ? [passed, ...cases] : cases };
  });
}

function toFileSuites(findings: readonly Finding[]): Suite[] {
  const casesOfFiles = new Map<string, Case[]>();
  for (const finding of findings) {
    const cases = casesOfFiles.get(finding.file) ?? [];
    casesOfFiles.set(finding.file, cases);
    cases.push(toCase(finding));
  }
  return [...casesOfFiles].map(([name, cases]) => ({ name, cases }));
}

function toCase(finding: Finding): Case {
  const { id, severity, file, line, column, pointer, message, detail } = finding;
  const name = `${file}:${line}:${column} ${pointer} (${id})`;
  return { id, severity, name, message, ...(detail !== undefined && { detail }) };
}

/** A case that belongs to no file: unlisted findings, or the count of a clean run. */
function toRunSuites(report: Report): Suite[] {
  const { command, checked, thing, checks, findings, notListed } = report;
  const severities: readonly Severity[] = ["error", "warning"];
  const rest = severities
    .filter((severity) => notListed[severity] > 0)
    .map((severity): Case => {
      const name = `... and ${formatCount(notListed[severity], `more ${severity}`)}`;
      return { id: command, severity, name, message: "raise --max-errors to list them" };
    });
  const clean: Case = { id: command, name: `${formatCount(checked, thing)} checked` };
  // Most CI systems show a report without cases as "nothing ran".
  const isBlank = checks === undefined && findings.length + rest.length === 0;
  const cases = isBlank ? [clean] : rest;
  return cases.length === 0 ? [] : [{ name: command, cases }];
}

function countCases(cases: readonly Case[]): Readonly<Record<string, number>> {
  const failures = cases.filter(({ severity }) => severity === "error").length;
  const skipped = cases.filter((each) => each.skipped !== undefined).length;
  return { tests: cases.length, failures, ...(skipped > 0 && { skipped }) };
}

function printSuite({ name, cases }: Suite): string[] {
  return [
    `  <testsuite ${attributes({ name, ...countCases(cases) })}>`,
    ...cases.map(printCase),
    "  </testsuite>",
  ];
}

function printCase({ id, name, severity, message = "", detail, skipped }: Case): string {
  const tag = `testcase ${attributes({ classname: id, name })}`;
  if (skipped !== undefined) {
    return `    <${tag}><skipped ${attributes({ message: skipped })}/></testcase>`;
  }
  if (severity === undefined) return `    <${tag}/>`;
  const details = detail === undefined ? "" : `\n${detail.split("\n").map(escapeXml).join("\n")}`;
  const body =
    severity === "error"
      ? `<failure ${attributes({ type: id, message })}>${escapeXml(`${name}: ${message}`)}${details}</failure>`
      : `<system-out>${escapeXml(`warning: ${message}`)}${details}</system-out>`;
  return `    <${tag}>${body}</testcase>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(" ");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Characters that are illegal in XML 1.0 (section 2.2), and those that escapeControls removes.
  "\ufffe": "\\ufffe",
  "\uffff": "\\uffff",
};

function escapeXml(text: string): string {
  return escapeControls(text).replace(
    /[&<>"\ufffe\uffff]/g,
    (character) => ENTITIES[character] ?? character,
  );
}
