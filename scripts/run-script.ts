import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { reportFailure, watchOutput } from "../src/cli/run.js";
import { EXIT, type ExitCode, UserError } from "../src/user-error.js";

export interface ScriptDescription {
  readonly name: string;
  readonly summary: string;
  /** What the command line may name besides, such as `[file...]`. */
  readonly operands?: string;
  readonly options: readonly (readonly [flags: string, description: string])[];
}

/** Runs one of the maintainer's programs: parses its flags, prints a user's mistake in one line. */
export async function runScript(
  description: ScriptDescription,
  run: (
    options: Readonly<Record<string, unknown>>,
    streams: { stdout: NodeJS.WritableStream },
    operands: readonly string[],
  ) => Promise<ExitCode>,
): Promise<void> {
  const { stdout, stderr, env } = process;
  const output = watchOutput(stdout);
  try {
    const command = parseCommandLine(description);
    process.exitCode = command
      ? await run(command.opts(), { stdout }, command.processedArgs.flat().filter(isText))
      : EXIT.ok;
  } catch (error) {
    process.exitCode = reportFailure(error, stderr, env);
  }
  await output.settle();
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The command line; undefined when help was asked for and is printed. */
function parseCommandLine({
  name,
  summary,
  operands,
  options,
}: ScriptDescription): Command | undefined {
  const command = new Command(name)
    .description(summary)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  if (operands !== undefined) command.argument(operands);
  for (const [flags, description] of options) command.option(flags, description);
  try {
    return command.parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    const problem = error.message.replace(/^error: /, "").replaceAll("\n", " ");
    throw new UserError(`${problem}  Help:  npm run ${name} -- --help`, EXIT.usage);
  }
}

/** Root of this repository, with a slash at its end. */
export const HOME = fileURLToPath(new URL("..", import.meta.url));
