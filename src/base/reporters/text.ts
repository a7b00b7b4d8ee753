import type { Finding, Severity } from "../findings/finding.js";
import { groupByCause, type ShownFinding } from "../findings/group-by-cause.js";
import type { CheckSummary, Report, SeverityCounts } from "../findings/report.js";
import { createPaint } from "../paint.js";
import { alignColumns, escapeControls, formatCount, formatNumber } from "../text.js";
import type { Reporter, ReportStyle } from "./reporter.js";

/** Column widths that fit the checks of this repository; a wider cell widens its column. */
const MIN_WIDTHS = [21, 42];

const INDENT = " ".repeat(8);

/** A conformance run: a table of its checks, then the findings of each check with the fix. */
function printChecks(
  checks: readonly CheckSummary[],
  { findings }: Pick<Report, "findings">,
  style: ReportStyle,
): string[] {
  const groups = checks.flatMap((check) => {
    const own = findings.filter((finding) => finding.check === check.id);
    return own.length === 0 ? [] : ["", ...printGroup(check, own, style)];
  });
  return [...printTable(checks, style), ...groups];
}

function printTable(checks: readonly CheckSummary[], { colour }: ReportStyle): string[] {
  const paint = createPaint(colour);
  const rows = checks.map((check) => {
    const verdict = describeVerdict(check);
    const isRed = check.found.error > 0;
    return [check.id, describeChecked(check), isRed ? paint(COLOURS.error, verdict) : verdict];
  });
  return alignColumns(rows, { minWidths: MIN_WIDTHS }).map((line) => `  ${line}`);
}

const COLOURS = { error: "red", warning: "yellow" } as const satisfies Record<Severity, string>;

function printGroup(
  { id, fix }: CheckSummary,
  findings: readonly Finding[],
  style: ReportStyle,
): string[] {
  const lines = findings.flatMap((finding) => printFinding(finding, style));
  return [id, ...lines, `${INDENT}fix:  ${fix}`];
}

function printFinding(finding: Finding, { colour }: ReportStyle): string[] {
  const paint = createPaint(colour);
  const { id, severity, file, line, column, pointer, message, detail } = finding;
  const place = escapeControls(`${file}:${line}:${column}`);
  const prefix = severity === "warning" ? "warning: " : "";
  const details = detail?.split("\n").map((text) => `${INDENT}${text}`.trimEnd()) ?? [];
  return [
    [
      `  ${paint("cyan", place)}`,
      ...(pointer === "" ? [] : [escapeControls(pointer)]),
      paint(COLOURS[severity], `(${id})`),
    ].join("  "),
    `${INDENT}${prefix}${message}`,
    ...details,
  ];
}

interface Row {
  readonly severity: Severity;
  /** `file:line:column`, pointer, message and id; the last one needs no width. */
  readonly cells: readonly [place: string, pointer: string, message: string, id: string];
}

/** Limits of the column widths, by column; a longer cell sticks out. */
const MAX_WIDTHS = [60, 32, 60] as const;

/** For people: one line per finding, with details below; for a conformance run, a table and groups. */
export const text: Reporter = {
  id: "text",
  purpose: "aligned lines, for people",
  print(report, style) {
    const { checks } = report;
    if (checks)
      return toText([...printChecks(checks, report, style), ...restLines(report.notListed)]);
    const { shown, rest } = groupByCause(report, style.findFix);
    return toText([...printRows(shown, style), ...restLines(rest)]);
  },
};

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function printRows(shown: readonly ShownFinding[], { colour }: ReportStyle): string[] {
  const rows = shown.map(({ finding }) => toRow(finding));
  const widths = MAX_WIDTHS.map((limit, column) => columnWidth(rows, column, limit));
  return rows.flatMap((row, index) => [
    printRow(row, widths, colour),
    ...printMore(shown[index]).map((line) => `  ${line}`),
  ]);
}

/** The lines below a finding. */
function printMore(shown: ShownFinding | undefined): string[] {
  if (shown === undefined) return [];
  const { finding, more, fix } = shown;
  return [
    ...(finding.detail?.split("\n") ?? []),
    ...(more > 0 ? [`... and ${formatNumber(more)} more in this file`] : []),
    ...(fix === undefined ? [] : [`fix: ${escapeControls(fix)}`]),
  ];
}

function toRow({ id, severity, file, line, column, pointer, message }: Finding): Row {
  const prefix = severity === "warning" ? "warning: " : "";
  const place = escapeControls(`${file}:${line}:${column}`);
  return {
    severity,
    cells: [place, escapeControls(pointer) || "(line)", `${prefix}${message}`, `(${id})`],
  };
}

function columnWidth(rows: readonly Row[], column: number, limit: number): number {
  const lengths = rows
    .map(({ cells }) => cells[column]?.length ?? 0)
    .filter((length) => length <= limit);
  return lengths.reduce((widest, length) => Math.max(widest, length), 0);
}

function printRow({ severity, cells }: Row, widths: readonly number[], colour: boolean): string {
  const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  const [place = "", pointer = "", message = "", id = ""] = padded;
  const paint = createPaint(colour);
  return [paint("cyan", place), pointer, message, paint(COLOURS[severity], id)].join("  ");
}

/** How many findings are not shown because of the limit. */
function restLines(rest: SeverityCounts): string[] {
  const severities: readonly Severity[] = ["error", "warning"];
  return severities
    .filter((severity) => rest[severity] > 0)
    .map((severity) => `... and ${formatCount(rest[severity], `more ${severity}`)}`);
}

/** `3 schemas, 2 implementations (python, ajv)`; `nothing` for a check that could not run. */
export function describeChecked({ checked }: Pick<CheckSummary, "checked">): string {
  const described = checked.map(({ count, thing, names }) => {
    const called = names === undefined ? "" : ` (${escapeControls(names.join(", "))})`;
    return `${formatCount(count, thing)}${called}`;
  });
  return described.join(", ") || "nothing";
}

/** `ok`, `2 findings`, or `ok, 1 warning`. Only errors make a check red. */
export function describeVerdict({ found, waitsFor }: CheckSummary): string {
  if (waitsFor !== undefined) return `not run: fix ${waitsFor} first`;
  if (found.error > 0) return formatCount(found.error + found.warning, "finding");
  return found.warning > 0 ? `ok, ${formatCount(found.warning, "warning")}` : "ok";
}
