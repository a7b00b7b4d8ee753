import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { FileFault, toFindings } from "../src/base/findings/finding.js";
import { EXIT, type ExitCode, UserError } from "../src/base/user-error.js";
import type { CommandContext } from "../src/cli/command.js";
import { reportFailure, watchOutput } from "../src/cli/failure.js";

export interface ScriptDescription {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments of the command line, such as `[file...]`. */
  readonly operands?: string;
  readonly options: readonly (readonly [flags: string, description: string])[];
}

/** Everything that a maintainers' program gets from its environment. */
export interface ScriptContext extends CommandContext {
  /** Root of the checkout that it works on. */
  readonly root: string;
}

/**
 * A maintainers' program: runs a command line (without the names of Node and the program) and returns the
 * exit code.
 */
export type Script = (argv: readonly string[], context: ScriptContext) => Promise<ExitCode>;

/** Creates a program that parses its flags and prints user errors in one line. It never throws. */
export function createScript(
  description: ScriptDescription,
  body: (
    options: Readonly<Record<string, unknown>>,
    context: ScriptContext,
    operands: readonly string[],
  ) => Promise<ExitCode>,
): Script {
  return async (argv, context) => {
    const { stdout, stderr, env } = context;
    const output = watchOutput(stdout);
    let exitCode: ExitCode = EXIT.ok;
    try {
      const command = parseCommandLine(description, argv, stdout);
      if (command !== undefined) {
        exitCode = await body(command.opts(), context, command.processedArgs.flat().filter(isText));
      }
    } catch (error) {
      if (error instanceof FileFault) {
        for (const finding of toFindings(context.root, error.places)) {
          const { file, line, column, pointer, message } = finding;
          const place = [`${file}:${line}:${column}`, pointer].filter((part) => part !== "");
          stderr.write(`${[...place, message].join("  ")}\n`);
        }
        exitCode = error.exitCode;
      } else exitCode = reportFailure(error, stderr, env);
    }
    await output.settle();
    return exitCode;
  };
}

/** Starts the program in a checkout. */
const CLI = "npm run --silent cli --";

/**
 * Runs a program with the values of this process if Node was started with its module, at `moduleUrl`;
 * importing the module runs nothing.
 */
export async function runAsProgram(moduleUrl: string, script: Script): Promise<void> {
  const { argv, stdin, stdout, stderr, env } = process;
  const [, program] = argv;
  if (program === undefined || toRealPath(program) !== fileURLToPath(moduleUrl)) return;
  const context = { root: REPO_ROOT, stdin, stdout, stderr, cwd: process.cwd(), env, program: CLI };
  process.exitCode = await script(argv.slice(2), context);
}

/** The path in the form of Node's module URLs: links are resolved. */
function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The parsed command line; undefined if help was requested and printed. */
function parseCommandLine(
  { name, summary, operands, options }: ScriptDescription,
  argv: readonly string[],
  stdout: NodeJS.WritableStream,
): Command | undefined {
  const command = new Command(name)
    .description(summary)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => {} });
  if (operands !== undefined) command.argument(operands);
  for (const [flags, description] of options) command.option(flags, description);
  try {
    return command.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    const problem = error.message.replace(/^error: /, "").replaceAll("\n", " ");
    throw new UserError(`${problem}  Help:  npm run ${name} -- --help`, EXIT.usage);
  }
}

/** Root of this repository, with a trailing slash. */
export const REPO_ROOT = fileURLToPath(new URL("..", import.meta.url));
