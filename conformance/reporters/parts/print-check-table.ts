import type { CheckSummary } from "../reporter.js";
import { describeChecked, describeVerdict } from "./describe-check.js";

/** A conformance run as a table in Markdown; what mends a check stands where it is red. */
export function printCheckTable(checks: readonly CheckSummary[]): string {
  const rows = checks.map((check) => {
    const isRed = check.found.error > 0;
    const cells = [
      `\`${check.id}\``,
      describeChecked(check),
      isRed ? `**${describeVerdict(check)}**` : describeVerdict(check),
      isRed ? check.mend : "",
    ];
    return cells.map(toCell);
  });
  const lines = [["check", "checked", "verdict", "mend"], ["---", "---", "---", "---"], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function toCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
