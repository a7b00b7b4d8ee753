import type { Finding } from "../findings/finding.js";
import { packageVersion } from "../package-version.js";
import { escapeControls } from "../text.js";
import type { CommandContext } from "./command.js";
import { printReport } from "./print-report.js";

/** Where a failure has no place of its own. */
const COMMAND_LINE = "<command line>";

/**
 * Prints a report that says of a command that it failed: who reads its findings from a file has a valid one then,
 * and takes nothing for clean. People are told on standard error alone.
 */
export function printFailure(
  message: string,
  { command, format }: { readonly command: string; readonly format: string | undefined },
  context: Pick<CommandContext, "stdout" | "env">,
): void {
  if (format === undefined || format === "text") return;
  const failure = escapeControls(message);
  const finding: Finding = {
    id: "failure",
    severity: "error",
    file: COMMAND_LINE,
    line: 1,
    column: 1,
    pointer: "",
    message: failure,
  };
  const report = {
    command,
    version: packageVersion(),
    checked: 0,
    thing: "record",
    findings: [finding],
    found: { error: 1, warning: 0 },
    notListed: { error: 0, warning: 0 },
    failure,
  };
  printReport(report, format, context);
}
