import { Command } from "commander";
import { reportFailure } from "../src/cli/report-failure.js";
import type { ExitCode } from "../src/user-error.js";

export interface ScriptDescription {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly (readonly [flags: string, description: string])[];
}

/** Runs one of the maintainer's programs: parses its flags, prints a user's mistake in one line. */
export async function runScript(
  { name, summary, options }: ScriptDescription,
  run: (
    options: Readonly<Record<string, unknown>>,
    streams: { stdout: NodeJS.WritableStream },
  ) => Promise<ExitCode>,
): Promise<void> {
  const command = new Command(name).description(summary);
  for (const [flags, description] of options) command.option(flags, description);
  try {
    command.parse();
    process.exitCode = await run(command.opts(), { stdout: process.stdout });
  } catch (error) {
    process.exitCode = reportFailure(error, process.stderr, process.env);
  }
}
