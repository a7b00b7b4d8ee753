import { styleText } from "node:util";
import { escapeControls, formatCount } from "../../src/text.js";
import type { Finding, Severity } from "../findings/finding.js";
import { printChecks } from "./parts/print-checks.js";
import type { Report, Reporter, ReportStyle } from "./reporter.js";

/** `file:line:column`, pointer, message and id in columns; the last needs no width. */
type Row = readonly [place: string, pointer: string, message: string, id: string];

/** Widest cell, per column, to which the others are padded; a wider one stands out. */
const MAX_WIDTHS = [60, 32, 60] as const;

/** One line per finding, with its details below, for people; of a conformance run, a table and groups. */
export const text: Reporter = {
  id: "text",
  purpose: "aligned lines, for people",
  print(report, style) {
    const { checks } = report;
    const lines = checks ? printChecks(checks, report, style) : printRows(report.findings, style);
    return [...lines, ...restLines(report)].map((line) => `${line}\n`).join("");
  },
};

function printRows(findings: readonly Finding[], { colour }: ReportStyle): string[] {
  const rows = findings.map(toRow);
  const widths = MAX_WIDTHS.map((limit, column) => columnWidth(rows, column, limit));
  return rows.flatMap((row, index) => [
    printRow(row, widths, colour),
    ...(findings[index]?.detail?.split("\n") ?? []).map((line) => `  ${line}`),
  ]);
}

function toRow({ id, severity, file, line, column, pointer, message }: Finding): Row {
  const prefix = severity === "warning" ? "warning: " : "";
  return [
    escapeControls(`${file}:${line}:${column}`),
    escapeControls(pointer) || "(line)",
    `${prefix}${message}`,
    `(${id})`,
  ];
}

function columnWidth(rows: readonly Row[], column: number, limit: number): number {
  const lengths = rows.map((row) => row[column]?.length ?? 0).filter((length) => length <= limit);
  return lengths.reduce((widest, length) => Math.max(widest, length), 0);
}

function printRow(row: Row, widths: readonly number[], colour: boolean): string {
  const [place, ...cells] = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  const shown = colour ? styleText("cyan", place ?? "", { validateStream: false }) : place;
  return [shown, ...cells].join("  ");
}

/** What the limit keeps from being listed; nothing goes missing without a word. */
function restLines({ notListed }: Report): string[] {
  const severities: readonly Severity[] = ["error", "warning"];
  return severities
    .filter((severity) => notListed[severity] > 0)
    .map((severity) => `... and ${formatCount(notListed[severity], `more ${severity}`)}`);
}
