import { styleText } from "node:util";
import { escapeControls } from "../../../src/text.js";
import type { Finding } from "../../findings/finding.js";
import type { CheckSummary, Report, ReportStyle } from "../reporter.js";
import { describeChecked, describeVerdict } from "./describe-check.js";

/** Columns that the checks of this repository fit in; a wider cell widens its column. */
const MIN_WIDTHS = { id: 21, checked: 42 };

const INDENT = " ".repeat(8);

/** Lines of a conformance run: a table of its checks, then the findings of each, with what mends them. */
export function printChecks(
  checks: readonly CheckSummary[],
  { findings }: Pick<Report, "findings">,
  style: ReportStyle,
): string[] {
  const groups = checks.flatMap((check) => {
    const own = findings.filter((finding) => finding.check === check.id);
    return own.length === 0 ? [] : ["", ...printGroup(check, own, style)];
  });
  return [...printTable(checks), ...groups];
}

function printTable(checks: readonly CheckSummary[]): string[] {
  const rows = checks.map((check) => ({
    id: check.id,
    checked: describeChecked(check),
    verdict: describeVerdict(check),
  }));
  const widthOf = (column: keyof typeof MIN_WIDTHS): number =>
    rows.reduce((widest, row) => Math.max(widest, row[column].length), MIN_WIDTHS[column]);
  const [idWidth, checkedWidth] = [widthOf("id"), widthOf("checked")];
  return rows.map(
    ({ id, checked, verdict }) =>
      `  ${id.padEnd(idWidth)}  ${checked.padEnd(checkedWidth)}  ${verdict}`,
  );
}

function printGroup(
  { id, mend }: CheckSummary,
  findings: readonly Finding[],
  style: ReportStyle,
): string[] {
  const lines = findings.flatMap((finding) => printFinding(finding, style));
  return [id, ...lines, `${INDENT}mend:  ${mend}`];
}

function printFinding(finding: Finding, { colour }: ReportStyle): string[] {
  const { id, severity, file, line, column, pointer, message, detail } = finding;
  const place = escapeControls(`${file}:${line}:${column}`);
  const shown = colour ? styleText("cyan", place, { validateStream: false }) : place;
  const prefix = severity === "warning" ? "warning: " : "";
  const details = detail?.split("\n").map((text) => `${INDENT}${text}`.trimEnd()) ?? [];
  return [
    [`  ${shown}`, escapeControls(pointer), `(${id})`].filter((cell) => cell !== "").join("  "),
    `${INDENT}${prefix}${message}`,
    ...details,
  ];
}
