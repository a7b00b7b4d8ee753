import { styleText } from "node:util";
import { Argument, Command as Commander, CommanderError, Help, Option } from "commander";
import { packageVersion } from "../base/package.js";
import { hasColour } from "../base/paint.js";
import { hideCredentials, quoteForShell, suggestName } from "../base/text.js";
import {
  type CommandContext,
  type CommandEntry,
  type CommandInput,
  type LoadedCommand,
  loadCommand,
  OptionValues,
} from "./command.js";
import {
  describeCommands,
  describeProgram,
  helpWidth,
  MIN_WIDTH_TO_WRAP,
  PROGRAM,
  quietOption,
  usageError,
} from "./program.js";

/** The selected command and its parsed arguments. */
export interface Invocation {
  readonly command: LoadedCommand;
  readonly input: CommandInput;
}

const HELP_WORDS: readonly (string | undefined)[] = ["help", "--help", "-h"];
const VERSION_WORDS: readonly (string | undefined)[] = ["--version", "-v"];

/** Former names of commands, and what they are now. */
const MOVED: readonly (readonly [former: string, now: string])[] = [
  ["stats", "show --summary"],
  ["changelog", "diff --format changelog"],
  ["partition", "shard split"],
  ["decontaminate index", "shard index"],
  ["decontaminate", "export --eval-items"],
  ["merge", "shard join"],
  ["shard merge", "shard join"],
];

/**
 * Parses a command line, given without the names of Node and the program. Undefined if help or the version was
 * requested and printed.
 *
 * Throws UserError (exit 2) that suggests the closest command or option.
 */
export async function parseArguments(
  argv: readonly string[],
  commands: readonly CommandEntry[],
  context: CommandContext,
): Promise<Invocation | undefined> {
  const { stdout } = context;
  const entry = commands.find(({ name }) => name.split(" ").every((word, at) => word === argv[at]));
  if (entry !== undefined) {
    const rest = argv.slice(entry.name.split(" ").length);
    const command = await loadCommand(entry);
    try {
      return parseCommand(command, rest, context);
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (error.exitCode === 0) return undefined;
      throw usageError(await describeProblem(error, command, commands), context, command.name);
    }
  }
  const [first, ...rest] = argv;
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (VERSION_WORDS.includes(first)) {
    stdout.write(`${packageVersion()}\n`);
  } else if (argv.length === 0 || HELP_WORDS.includes(first)) {
    const named = rest.filter((word) => word !== "--all" && !HELP_WORDS.includes(word));
    if (named.length > 0) return await parseArguments([...named, "--help"], commands, context);
    stdout.write(describeProgram(commands, rest.includes("--all"), context));
  } else if (family.length > 0 && HELP_WORDS.includes(rest[0])) {
    stdout.write(describeCommands(family, context));
  } else {
    const moved = MOVED.find(([former]) =>
      former.split(" ").every((word, at) => word === argv[at]),
    );
    if (moved !== undefined) {
      throw usageError(moved.join(" is now "), context, moved[1].replace(/ --.*/, ""));
    }
    throw usageError(describeUnknown(argv, family.length > 0 ? family : commands), context);
  }
  return undefined;
}

/** `commands`: those that may be meant. */
function describeUnknown(argv: readonly string[], commands: readonly CommandEntry[]): string {
  const [first = "", second] = argv;
  if (first.startsWith("-")) return `unknown option '${first}'`;
  const names = commands.map(({ name }) => name);
  const isFamily = names.every((name) => name.startsWith(`${first} `));
  if (isFamily && second === undefined)
    return `'${first}' is half a command: use ${names.join(", ")}`;
  const unknown = isFamily ? `${first} ${second}` : first;
  return `unknown command '${unknown}'${suggestName(unknown, names)}`;
}

/** Parses the arguments of a command. Throws CommanderError for a mistake in them, and if its help was requested and printed. */
function parseCommand(
  command: LoadedCommand,
  argv: readonly string[],
  context: CommandContext,
): Invocation {
  const parser = createParser(command, context);
  parser.parse(argv, { from: "user" });
  const values = parser.opts();
  const missing = command.options.find(
    (option) => option.mandatory && values[option.attributeName()] === undefined,
  );
  if (missing !== undefined) {
    throw usageError(`required option '${missing.flags}' not specified`, context, command.name);
  }
  // As an unset shell variable gives it: as a path, it is the current folder.
  const empty = parser.args.indexOf("");
  if (empty !== -1) throw usageError(`argument ${empty + 1} is empty`, context, command.name);
  const given = command.options
    .map((option) => option.attributeName())
    .filter((name) => parser.getOptionValueSource(name) === "cli");
  const line = [PROGRAM, ...command.name.split(" "), ...argv].map(hideCredentials);
  return {
    command,
    input: {
      operands: parser.args,
      options: new OptionValues(values, given),
      line: line.map(quoteForShell).join(" "),
    },
  };
}

/** What is wrong with the arguments of a command, and what may be meant. */
async function describeProblem(
  { message }: CommanderError,
  command: LoadedCommand,
  commands: readonly CommandEntry[],
): Promise<string> {
  const problem = message
    .replace(/^error: /, "")
    .replace(OPERAND, "there is no $2 $1: use $3")
    .replaceAll("\n", " ");
  const [, flag] = /^unknown option '--([a-z-]+)'$/.exec(problem) ?? [];
  if (flag === undefined) return problem;
  // `--skip-errored` is no option, but `--skip errored`.
  const meant = command.options
    .flatMap(({ long, argChoices = [] }) => argChoices.map((choice) => `${long} ${choice}`))
    .find((each) => each.replace(" ", "-") === `--${flag}`);
  if (meant !== undefined) return `${problem} (did you mean ${meant}?)`;
  const loaded = await Promise.all(commands.map(loadCommand));
  const owners = loaded.filter(({ options }) => options.some(({ long }) => long === `--${flag}`));
  if (owners.length === 0) return problem;
  return `${problem}, an option of ${owners.map(({ name }) => name).join(", ")}`;
}

/** How commander says that an operand is none of its choices. */
const OPERAND =
  /^command-argument value ('.*') is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s;

function createParser(command: LoadedCommand, context: CommandContext): Commander {
  const { name, summary, operands, operandChoices, options, examples } = command;
  const { stdout, env, program } = context;
  const parser = new Commander(`${PROGRAM} ${name}`)
    .description(summary)
    .exitOverride()
    .configureHelp({
      minWidthToWrap: MIN_WIDTH_TO_WRAP,
      formatItem: formatHelpItem,
      styleTitle: (title) => styleText("bold", title, { validateStream: false }),
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // Errors are thrown, and printed elsewhere.
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => helpWidth(stdout),
      getOutHasColors: () => hasColour(stdout, env),
    })
    .addHelpText(
      "after",
      ["", "Examples:", ...examples.map((each) => `  ${program} ${each}`)].join("\n"),
    );
  if (operands !== undefined) {
    const operand = new Argument(operands);
    const mustChoose = operandChoices !== undefined && !operand.variadic;
    parser.addArgument(mustChoose ? operand.choices(operandChoices) : operand);
  }
  for (const option of [...options, quietOption]) parser.addOption(toOptional(option));
  return parser;
}

/** Without its requirement, which commander would check first: it would miss `--input` where a user wrote `--inptu`. */
function toOptional(option: Option): Option {
  return Object.assign(new Option(option.flags), option, { mandatory: false });
}

/** As commander does; where the second column would be too narrow to wrap, descriptions are below their terms. */
function formatHelpItem(term: string, termWidth: number, description: string, help: Help): string {
  const width = help.helpWidth ?? 0;
  if (width - termWidth - 4 >= help.minWidthToWrap) {
    return Help.prototype.formatItem.call(help, term, termWidth, description, help);
  }
  const lines = help.boxWrap(description, width - 6).split("\n");
  return [`  ${term}`, ...lines.map((line) => `      ${line}`)].join("\n");
}
