import { escapeControls } from "../records/escape-controls.js";
import { EXIT, type ExitCode, UserError } from "../user-error.js";

/** Prints what was thrown as one line, with the stack only when `DEBUG` is set, and gives the exit code. */
export function reportFailure(
  error: unknown,
  stderr: NodeJS.WritableStream,
  env: Readonly<Record<string, string | undefined>>,
): ExitCode {
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof UserError;
  stderr.write(
    known
      ? `${escapeControls(message)}\n`
      : `bug in rollout-wire: ${message} (run with DEBUG=1 for the stack)\n`,
  );
  if (env.DEBUG && error instanceof Error) stderr.write(`${error.stack}\n`);
  return known ? error.exitCode : EXIT.bug;
}
