import type { Finding } from "../findings/finding.js";
import type { CheckSummary, Report } from "../findings/report.js";
import { escapeControls, formatCount } from "../text.js";
import type { Reporter } from "./reporter.js";
import { describeChecked, describeVerdict } from "./text.js";

/** GitHub Flavored Markdown, for a comment on a pull request. */
export const markdown: Reporter = {
  id: "markdown",
  purpose: "Markdown, for comments on pull requests",
  print(report) {
    const { checks, failure, findings } = report;
    if (failure !== undefined) return `**${report.command} failed**: ${escapeMarkdown(failure)}\n`;
    const table = checks === undefined ? "" : `${printCheckTable(checks)}\n`;
    const list = findings.map(printFinding).join("");
    return `${table}${describeTotal(report)}\n${list === "" ? "" : `\n${list}`}`;
  },
};

function describeTotal({ command, checked, thing, found, notListed }: Report): string {
  const counts = [formatCount(found.error, "error"), formatCount(found.warning, "warning")];
  const rest = notListed.error + notListed.warning;
  const more = rest === 0 ? "" : `; ${rest} of them are not listed`;
  return `**${command}**: ${formatCount(checked, thing)} checked, ${counts.join(", ")}${more}`;
}

function printFinding(finding: Finding): string {
  const { id, severity, file, line, column, pointer, message, detail } = finding;
  const place = toCode(`${file}:${line}:${column}`);
  const at = pointer === "" ? "" : ` ${toCode(pointer)}`;
  const head = `- **${severity}** ${place}${at} ${escapeMarkdown(message)} (${toCode(id)})\n`;
  return detail === undefined ? head : `${head}\n${indent(fence(detail, ""))}\n`;
}

/** A conformance run as a table; red checks show their fix. */
export function printCheckTable(checks: readonly CheckSummary[]): string {
  const rows = checks.map((check) => {
    const isRed = check.found.error > 0;
    const verdict = escapeMarkdown(describeVerdict(check));
    return [
      toCode(check.id),
      escapeMarkdown(describeChecked(check)),
      isRed ? `**${verdict}**` : verdict,
      isRed ? escapeMarkdown(check.fix) : "",
    ];
  });
  return printTable(["check", "checked", "verdict", "fix"], rows);
}

/** A table of cells that are Markdown. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return [head, head.map(() => "---"), ...rows].map(line).join("");
}

/** Plain text that Markdown shows as it is, in one line. Nobody is mentioned and nothing is linked. */
export function escapeMarkdown(text: string): string {
  return escapeControls(text)
    .replace(/[\\`*_{}[\]<>|~#!]/g, "\\$&")
    .replaceAll("@", "&#64;")
    .replaceAll("://", "&#58;//");
}

/** Text in a line of code, whatever it contains. */
export function toCode(text: string): string {
  const shown = escapeControls(text).replaceAll("|", "\\|");
  const ticks = "`".repeat(longestRun(shown) + 1);
  return shown.includes("`") ? `${ticks} ${shown} ${ticks}` : `${ticks}${shown}${ticks}`;
}

/** Lines of code, whatever they contain. */
export function fence(text: string, language: string): string {
  const ticks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}\n`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** Makes lines part of a list item. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
