import type { Finding } from "../finding.js";
import type { Report, Reporter } from "./reporter.js";

/** One suite per file, one failed case per error; warnings are cases that passed, with their text. */
export const junit: Reporter = {
  id: "junit",
  purpose: "JUnit XML, for test reports of CI systems",
  print(report) {
    const files = [...new Set(report.findings.map(({ file }) => file))];
    const suites = files.map((file) =>
      printSuite(
        file,
        report.findings.filter((finding) => finding.file === file),
      ),
    );
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites ${attributes({ name: `rollout-wire ${report.command}`, tests: report.checked, failures: report.found.error })}>`,
      ...(suites.length === 0 ? [printClean(report)] : suites),
      "</testsuites>",
      "",
    ].join("\n");
  },
};

/** A report without any case reads as "nothing ran" in most CI systems. */
function printClean({ command, checked }: Report): string {
  const name = `${checked} records checked`;
  return [
    `  <testsuite ${attributes({ name: command, tests: 1, failures: 0 })}>`,
    `    <testcase ${attributes({ classname: command, name })}/>`,
    "  </testsuite>",
  ].join("\n");
}

function printSuite(file: string, findings: readonly Finding[]): string {
  const failures = findings.filter(({ severity }) => severity === "error").length;
  return [
    `  <testsuite ${attributes({ name: file, tests: findings.length, failures })}>`,
    ...findings.map(printCase),
    "  </testsuite>",
  ].join("\n");
}

function printCase({ id, severity, file, line, column, pointer, message }: Finding): string {
  const place = `${file}:${line}:${column}`;
  const name = `${place} ${pointer} (${id})`;
  const body =
    severity === "error"
      ? `<failure ${attributes({ type: id, message })}>${escapeXml(`${place} ${message}`)}</failure>`
      : `<system-out>${escapeXml(`warning: ${message}`)}</system-out>`;
  return `    <testcase ${attributes({ classname: id, name })}>${body}</testcase>`;
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
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** XML 1.0 has no place for other control characters and lone surrogates: they become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd");
}
