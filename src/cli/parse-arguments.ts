import { Command as Commander, CommanderError } from "commander";
import { packageVersion } from "../package-version.js";
import { EXIT, UserError } from "../user-error.js";
import type { Command, CommandContext, CommandInput } from "./command.js";
import { OptionValues } from "./option-values.js";

const PROGRAM = "rollout-wire";

/** The command that the user chose, with what was asked of it. */
export interface Invocation {
  readonly command: Command;
  readonly input: CommandInput;
}

/**
 * Reads a command line, without the names of Node and of the program. Undefined when there is
 * nothing to run, since help or the version was asked for and is printed.
 *
 * Throws UserError (exit 2) that names the nearest command or flag.
 */
export function parseArguments(
  argv: readonly string[],
  commands: readonly Command[],
  context: CommandContext,
): Invocation | undefined {
  let invocation: Invocation | undefined;
  const program = createProgram(context);
  for (const command of commands) {
    const parser = addCommand(program, command);
    parser.action(() => {
      const input = { operands: parser.args, options: new OptionValues(parser.opts()) };
      invocation = { command, input };
    });
  }
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw toUsageError(error, argv, commands);
  }
  return invocation;
}

function createProgram({ stdout }: CommandContext): Commander {
  return new Commander(PROGRAM)
    .description("Checks and exports rollouts: JSONL records in the rollout-wire format.")
    .version(packageVersion(), "--version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // Mistakes are thrown, and printed in one place.
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => 100,
    });
}

function addCommand(program: Commander, command: Command): Commander {
  const { name, summary, operands, options, examples } = command;
  const parser = program.command(name).description(summary);
  if (operands !== undefined) parser.arguments(operands);
  for (const option of options) parser.addOption(option);
  const lines = examples.map((example) => `  ${PROGRAM} ${example}`);
  return parser.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

function toUsageError(
  error: CommanderError,
  argv: readonly string[],
  commands: readonly Command[],
): UserError {
  const command = commands.find(({ name }) => name === argv[0]);
  const help = [PROGRAM, command?.name, "--help"].filter((part) => part !== undefined).join(" ");
  // Commander's own message when no command is given stands for a whole help page.
  const problem =
    error.code === "commander.help"
      ? `say what to do: ${commands.map(({ name }) => name).join(", ")}`
      : error.message.replace(/^error: /, "").replaceAll("\n", " ");
  return new UserError(`${problem}  Help:  ${help}`, EXIT.usage);
}
