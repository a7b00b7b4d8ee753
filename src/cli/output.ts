import { appendFileSync } from "node:fs";
import type { Report } from "../findings/report.js";
import { reporters } from "../reporters/index.js";
import { UserError } from "../user-error.js";
import type { CommandContext } from "./command.js";

/**
 * Prints a report on standard output in the format that the user chose. What the format has for the summary
 * page of a CI run is added to the file that `GITHUB_STEP_SUMMARY` names.
 */
export function printReport(
  report: Report,
  format: string | undefined,
  { stdout, env }: Pick<CommandContext, "stdout" | "env">,
): void {
  const reporter = reporters.find(({ id }) => id === format) ?? reporters[0];
  // https://no-color.org: any value that is not empty.
  const colour = stdout.isTTY === true && !env.NO_COLOR;
  const summary = reporter?.summarise?.(report) ?? "";
  // First, since it may fail: what is printed by then is the one report.
  if (env.GITHUB_STEP_SUMMARY && summary !== "") append(env.GITHUB_STEP_SUMMARY, summary);
  stdout.write(reporter?.print(report, { colour }) ?? "");
}

function append(file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`GITHUB_STEP_SUMMARY: ${reason}`);
  }
}

/** A line of a summary: what it is about, and what there is to say; "" continues the one above. */
export type SummaryRow = readonly [label: string, text: string];

/** Width of the label column: the longest label, `decontamination`, and a gap of four. */
const LABEL_WIDTH = 19;

/** Rows as indented lines, each with its newline. */
export function formatRows(rows: readonly SummaryRow[]): string {
  return rows.map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}\n`).join("");
}
