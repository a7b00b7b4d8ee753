import { styleText } from "node:util";
import { Command as Commander, CommanderError, Help, Option } from "commander";
import { packageVersion } from "../base/package.js";
import { hasColour } from "../base/paint.js";
import { EXIT, UserError } from "../base/user-error.js";
import {
  type Command,
  type CommandContext,
  type CommandInput,
  type CommandOutline,
  OptionValues,
} from "./command.js";
import { outlines } from "./commands/outlines.js";
import { DESCRIPTION, PROGRAM, quietOption } from "./program.js";

/** The selected command and its parsed arguments. */
export interface Invocation {
  readonly command: Command;
  readonly input: CommandInput;
}

/**
 * Parses a command line, given without the names of Node and the program. Undefined if help or the version was
 * requested and printed.
 *
 * Throws UserError (exit 2) that suggests the closest command or option.
 */
export function parseArguments(
  argv: readonly string[],
  command: Command | undefined,
  context: CommandContext,
): Invocation | undefined {
  let invocation: Invocation | undefined;
  const program = createProgram(context);
  for (const outline of outlines) {
    if (outline.name !== command?.name) {
      // Help tells that there are options; only the command itself knows which.
      addOutline(program, outline).option("--options");
      continue;
    }
    const parser = addCommand(program, command);
    parser.action(() => {
      requireOptions(command, parser.opts());
      requireGivenOperands(command, parser.args);
      const given = command.options
        .map((option) => option.attributeName())
        .filter((name) => parser.getOptionValueSource(name) === "cli");
      const options = new OptionValues(parser.opts(), given);
      const input = { operands: parser.args, options };
      invocation = { command, input };
    });
  }
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw toUsageError(error, argv);
  }
  return invocation;
}

/** Throws UserError (exit 2) if an option is missing that the command requires. */
function requireOptions(
  { name, options }: Command,
  values: Readonly<Record<string, unknown>>,
): void {
  const missing = options.find(
    (option) => option.mandatory && values[option.attributeName()] === undefined,
  );
  if (missing === undefined) return;
  throw new UserError(
    `required option '${missing.flags}' not specified  Help:  ${PROGRAM} ${name} --help`,
    EXIT.usage,
  );
}

/** Throws UserError (exit 2) for an empty operand, as an unset shell variable gives: as a path it is the current folder. */
function requireGivenOperands({ name }: Command, operands: readonly string[]): void {
  const index = operands.indexOf("");
  if (index === -1) return;
  throw new UserError(
    `argument ${index + 1} is empty  Help:  ${PROGRAM} ${name} --help`,
    EXIT.usage,
  );
}

/** Without its requirement, which commander would check first: it would miss `--input` where a user wrote `--inptu`. */
function toOptional(option: Option): Option {
  return Object.assign(new Option(option.flags), option, { mandatory: false });
}

/** Where help is no terminal's. */
const HELP_WIDTH = 100;

function createProgram({ stdout, env }: CommandContext): Commander {
  return (
    new Commander(PROGRAM)
      .description(DESCRIPTION)
      .version(packageVersion(), "-v, --version")
      // After a command, -v is no request for the version, which would end a check with exit code 0.
      .enablePositionalOptions()
      .exitOverride()
      .configureHelp({
        minWidthToWrap: 20,
        formatItem: formatHelpItem,
        styleTitle: (title) => styleText("bold", title, { validateStream: false }),
      })
      .configureOutput({
        writeOut: (text) => stdout.write(text),
        // Errors are thrown, and printed elsewhere.
        writeErr: () => {},
        outputError: () => {},
        getOutHelpWidth: () => (stdout.isTTY === true ? stdout.columns : undefined) ?? HELP_WIDTH,
        getOutHasColors: () => hasColour(stdout, env),
      })
  );
}

/** As commander does; where the second column would be too narrow to wrap, descriptions are below their terms. */
function formatHelpItem(term: string, termWidth: number, description: string, help: Help): string {
  const width = help.helpWidth ?? HELP_WIDTH;
  if (width - termWidth - 4 >= help.minWidthToWrap) {
    return Help.prototype.formatItem.call(help, term, termWidth, description, help);
  }
  const lines = help.boxWrap(description, width - 6).split("\n");
  return [`  ${term}`, ...lines.map((line) => `      ${line}`)].join("\n");
}

function addOutline(program: Commander, { name, summary, operands }: CommandOutline): Commander {
  const parser = program.command(name).description(summary);
  if (operands !== undefined) parser.arguments(operands);
  return parser;
}

function addCommand(program: Commander, command: Command): Commander {
  const { options, examples } = command;
  const parser = addOutline(program, command);
  for (const option of [...options, quietOption]) parser.addOption(toOptional(option));
  const lines = examples.map((example) => `  ${PROGRAM} ${example}`);
  return parser.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

function toUsageError(error: CommanderError, argv: readonly string[]): UserError {
  const command = outlines.find(({ name }) => name === argv[0]);
  const help = [PROGRAM, command?.name, "--help"].filter((part) => part !== undefined).join(" ");
  // Without a command, commander's message would be a whole help page.
  const problem =
    error.code === "commander.help"
      ? `name a command: ${outlines.map(({ name }) => name).join(", ")}`
      : error.message.replace(/^error: /, "").replaceAll("\n", " ");
  return new UserError(`${problem}  Help:  ${help}`, EXIT.usage);
}
