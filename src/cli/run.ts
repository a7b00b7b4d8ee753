import { PassThrough } from "node:stream";
import { hasCode } from "../base/files/source.js";
import type { Finding } from "../base/findings/finding.js";
import { packageVersion } from "../base/package.js";
import { escapeControls } from "../base/text.js";
import { EXIT, type ExitCode, UserError } from "../base/user-error.js";
import type { CommandContext, CommandEntry, Runner } from "./command.js";
import { describeFailure, reportFailure, watchOutput } from "./failure.js";
import { type Invocation, parseArguments } from "./parse.js";

/** The program of these commands. It never ends the process. */
export function createProgram(commands: readonly CommandEntry[]): Runner {
  return async (argv, context) => {
    const { stdout, stderr, env } = context;
    const output = watchOutput(stdout);
    watchOutput(stderr);
    let exitCode: ExitCode = EXIT.ok;
    try {
      const invocation = await parseArguments(argv, commands, context);
      if (invocation) exitCode = await runCommand(invocation, forCommand(invocation, context));
    } catch (error) {
      exitCode = reportFailure(error, stderr, env);
    }
    const failure = await output.settle();
    // A consumer that stops early, such as `head`, does not change the exit code.
    if (failure === undefined || hasCode(failure, "EPIPE")) return exitCode;
    return reportFailure(new UserError(`standard output: ${failure.message}`), stderr, env);
  };
}

/** With `--quiet`, progress and summaries are dropped. Errors are thrown, and printed elsewhere. */
function forCommand({ input }: Invocation, context: CommandContext): CommandContext {
  if (!input.options.flag("quiet")) return context;
  return { ...context, stderr: new PassThrough().resume() };
}

/** In formats for programs, a failure is part of the report too. */
async function runCommand(
  { command, input }: Invocation,
  context: CommandContext,
): Promise<ExitCode> {
  try {
    return await command.run(input, context);
  } catch (error) {
    const format = input.options.optionalText("format");
    await printFailure(describeFailure(error), { command: command.name, format }, context);
    throw error;
  }
}

/** Values of `--format` with which a failure is told on standard error alone. */
const FOR_PEOPLE: readonly string[] = ["text", "html", "changelog"];

/** Location of a failure that is not in a file. */
const COMMAND_LINE = "<command line>";

/**
 * Prints a report with one failure, so that a program that parses the output gets a valid report and does not
 * take the run for clean. Prints nothing in the formats for people, because they read standard error.
 */
async function printFailure(
  message: string,
  { command, format }: { readonly command: string; readonly format: string | undefined },
  context: Pick<CommandContext, "stdout" | "env" | "program">,
): Promise<void> {
  if (format === undefined || FOR_PEOPLE.includes(format)) return;
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
  // The reporters load the validators, which help and version do not need.
  const { printReport } = await import("./output.js");
  printReport(report, format, context);
}
