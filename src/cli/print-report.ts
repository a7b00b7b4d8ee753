import { reporters } from "../../conformance/reporters/index.js";
import type { Report } from "../../conformance/reporters/reporter.js";
import type { CommandContext } from "./command.js";

/** Prints a report on standard output in the format that the user chose. */
export function printReport(
  report: Report,
  format: string | undefined,
  { stdout, env }: Pick<CommandContext, "stdout" | "env">,
): void {
  const reporter = reporters.find(({ id }) => id === format) ?? reporters[0];
  // https://no-color.org: any value that is not empty.
  const colour = stdout.isTTY === true && !env.NO_COLOR;
  stdout.write(reporter?.print(report, { colour }) ?? "");
}
