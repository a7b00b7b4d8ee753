import { escapeControls } from "../text.js";
import { EXIT, type ExitCode, UserError } from "../user-error.js";

/** What was thrown, in one line for people. */
export function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UserError) return escapeControls(message);
  return `bug in rollout-wire: ${message} (run with DEBUG=1 for the stack)`;
}

/** Prints what was thrown as one line, with the stack only when `DEBUG` is set, and gives the exit code. */
export function reportFailure(
  error: unknown,
  stderr: NodeJS.WritableStream,
  env: Readonly<Record<string, string | undefined>>,
): ExitCode {
  stderr.write(`${describeFailure(error)}\n`);
  if (env.DEBUG && error instanceof Error) stderr.write(`${error.stack}\n`);
  return error instanceof UserError ? error.exitCode : EXIT.bug;
}
