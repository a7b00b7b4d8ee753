import type { Finding } from "../findings/finding.js";
import type { Report } from "../findings/report.js";
import { escapeControls, formatCount } from "../text.js";
import { markdown, printCheckTable } from "./markdown.js";
import type { Reporter } from "./reporter.js";

/**
 * Workflow commands, which GitHub shows as annotations on the changed lines. Source: the documentation of
 * GitHub Actions, "Workflow commands".
 */
export const github: Reporter = {
  id: "github",
  purpose: "workflow commands, for GitHub Actions",
  print(report) {
    const { failure } = report;
    // A failure belongs to no file.
    if (failure !== undefined) return `::error title=failure::${escapeData(failure)}\n`;
    const lines = [...report.findings.map(toCommand), ...restCommands(report)];
    return lines.map((line) => `${line}\n`).join("");
  },
  // A step shows only ten annotations of each kind.
  summarise: (report) => {
    const { checks, findings } = report;
    if (checks !== undefined) return printCheckTable(checks);
    return findings.length === 0 ? "" : markdown.print(report, { colour: false });
  },
};

function toCommand(finding: Finding): string {
  const { id, severity, file, line, column, pointer, message, check, detail } = finding;
  const title = check === undefined ? id : `${check}: ${id}`;
  const properties = { file: escapeControls(file), line, col: column, title };
  const list = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`,
  );
  const text = pointer === "" ? message : `${escapeControls(pointer)} ${message}`;
  const whole = detail === undefined ? text : `${text}\n${detail}`;
  return `::${severity} ${list.join(",")}::${escapeData(whole)}`;
}

function restCommands({ notListed }: Report): string[] {
  const rest = notListed.error + notListed.warning;
  return rest === 0 ? [] : [`::notice::and ${formatCount(rest, "more finding")}`];
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
