import { appendFileSync } from "node:fs";
import type { Finding } from "../base/findings/finding.js";
import type { FindingList } from "../base/findings/finding-list.js";
import type { Report } from "../base/findings/report.js";
import { repositoryPage } from "../base/package.js";
import { hasColour } from "../base/paint.js";
import { reporters } from "../base/reporters/index.js";
import type { RuleText } from "../base/reporters/reporter.js";
import { formatCount } from "../base/text.js";
import { UserError } from "../base/user-error.js";
import { findFix } from "../rollouts/wire/validation/fixes.js";
import type { CommandContext } from "./command.js";
import { describeRule } from "./rule-texts.js";

/**
 * Prints a report on standard output in the format that the user chose. If the format has a summary for CI, it
 * is appended to the file named by `GITHUB_STEP_SUMMARY`. `describe` explains the findings that only this command has.
 */
export function printReport(
  report: Report,
  format: string | undefined,
  { stdout, env, program }: Pick<CommandContext, "stdout" | "env" | "program">,
  describe?: (first: Finding) => RuleText | undefined,
): void {
  const reporter = reporters.find(({ id }) => id === format) ?? reporters[0];
  const colour = hasColour(stdout, env);
  const summary = reporter?.summarise?.(report) ?? "";
  // Written first because it may fail. Then the failure report is the only output.
  if (env.GITHUB_STEP_SUMMARY && summary !== "") append(env.GITHUB_STEP_SUMMARY, summary);
  const style = {
    colour,
    findFix: (finding: Finding) => findFix(finding, program),
    describeRule: (first: Finding) =>
      describe?.(first) ?? describeRule(first, { command: report.command, program }),
    repository: repositoryPage(),
  };
  stdout.write(reporter?.print(report, style) ?? "");
}

function append(file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`GITHUB_STEP_SUMMARY: ${reason}`);
  }
}

/** Says why a run wrote nothing: errors, or all records, whose noun is given, were left out. */
export function describeNothing(
  { lostAll, records, warningIds }: Pick<FindingList, "lostAll" | "records" | "warningIds">,
  record = "record",
  plural = `${record}s`,
): string {
  if (!lostAll) return "nothing written: fix the errors first";
  const all =
    records === 1 ? `the only ${record} was` : `all ${formatCount(records, record, plural)} were`;
  return `nothing written: ${all} left out (${warningIds.join(", ")})`;
}

/** Writes to a stream, and waits until it is taken. Rejects when the reader has gone. */
export async function writeChunk(
  stream: NodeJS.WritableStream,
  chunk: Uint8Array | string,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
