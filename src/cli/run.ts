import { hasCode } from "../files/source.js";
import { EXIT, type ExitCode, UserError } from "../user-error.js";
import type { CommandContext } from "./command.js";
import { commands } from "./commands/index.js";
import { type Invocation, parseArguments } from "./parse-arguments.js";
import { printFailure } from "./print-failure.js";
import { describeFailure, reportFailure } from "./report-failure.js";
import { watchOutput } from "./watch-output.js";

/**
 * The program: runs one command line, without the names of Node and of the program, in `context`,
 * and gives its exit code. Never throws and never ends the process.
 */
export async function run(argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { stdout, stderr, env } = context;
  const output = watchOutput(stdout);
  watchOutput(stderr);
  let exitCode: ExitCode = EXIT.ok;
  try {
    const invocation = parseArguments(argv, commands, context);
    if (invocation) exitCode = await runCommand(invocation, context);
  } catch (error) {
    exitCode = reportFailure(error, stderr, env);
  }
  const failure = await output.settle();
  // Whoever stops reading, such as `head`, has seen enough; the verdict stays what it is.
  if (failure === undefined || hasCode(failure, "EPIPE")) return exitCode;
  return reportFailure(new UserError(`standard output: ${failure.message}`), stderr, env);
}

/** What goes wrong is told in the report too, in a format for programs. */
async function runCommand(
  { command, input }: Invocation,
  context: CommandContext,
): Promise<ExitCode> {
  try {
    return await command.run(input, context);
  } catch (error) {
    const format = input.options.optionalText("format");
    printFailure(describeFailure(error), { command: command.name, format }, context);
    throw error;
  }
}
