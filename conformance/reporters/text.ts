import { styleText } from "node:util";
import { escapeControls } from "../../src/records/escape-controls.js";
import { formatCount } from "../../src/records/format-count.js";
import type { Finding, Severity } from "../finding.js";
import type { Report, Reporter } from "./reporter.js";

/** `file:line:column`, pointer, message and id in columns; the last needs no width. */
type Row = readonly [place: string, pointer: string, message: string, id: string];

/** Widest cell, per column, to which the others are padded; a wider one stands out. */
const MAX_WIDTHS = [60, 32, 60] as const;

/** One line per finding, for people. */
export const text: Reporter = {
  id: "text",
  purpose: "aligned lines, for people",
  print(report, { colour }) {
    const rows = report.findings.map(toRow);
    const widths = MAX_WIDTHS.map((limit, column) => columnWidth(rows, column, limit));
    const lines = [...rows.map((row) => printRow(row, widths, colour)), ...restLines(report)];
    return lines.map((line) => `${line}\n`).join("");
  },
};

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
