import { describeOutputs, onEndingSignal } from "../base/files/ending-signals.js";
import type { OutputStream } from "../base/paint.js";
import { escapeControls, hideCredentials } from "../base/text.js";
import { EXIT, type ExitCode, UserError } from "../base/user-error.js";

// The maintainers' scripts use this module too. It must not import generated code, because they also run before
// the code is generated.

/** Catches errors of an output stream. Otherwise they would end the process with a stack trace. */
interface OutputWatch {
  /** Waits until everything is written. Returns the first error, if there was one. */
  settle(): Promise<Error | undefined>;
}

/** Stores the first error of `stream` instead of throwing it. */
export function watchOutput(stream: NodeJS.WritableStream): OutputWatch {
  let failure: Error | undefined;
  stream.on("error", (error: Error) => {
    failure ??= error;
  });
  return {
    async settle() {
      await new Promise<void>((resolve) => {
        stream.write("", () => resolve());
      });
      return failure;
    },
  };
}

/** Whether Deno denies a permission. Its message names the flag that grants it. */
function isDenied(error: unknown): boolean {
  return error instanceof Error && error.name === "NotCapable";
}

/**
 * Converts errors that the system or the runtime's options cause anywhere in the program to a UserError (exit 3). Returns any
 * other error unchanged.
 */
function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof EvalError) {
    return new UserError(
      "Node may not generate code, which this command needs to compile schemas: run it without --disallow-code-generation-from-strings (see NODE_OPTIONS)",
    );
  }
  if (isDenied(error)) return new UserError(`denied by Deno: ${error.message}`);
  if (!("code" in error)) return error;
  if (error.code === "EMFILE" || error.code === "ENFILE") {
    return new UserError("too many files are open: raise the limit (ulimit -n)");
  }
  if (error.code === "ENOENT" && "syscall" in error && error.syscall === "uv_cwd") {
    return new UserError("the current folder was removed: change to another one");
  }
  return error;
}

/** Describes the error in one line, for people, without the credentials of URLs. */
export function describeFailure(thrown: unknown): string {
  const error = explain(thrown);
  const message = hideCredentials(error instanceof Error ? error.message : String(error));
  if (error instanceof UserError) return escapeControls(message);
  return `bug in rollout-wire: ${message} (run with DEBUG=1 for the stack)`;
}

/** Prints the error in one line, with its stack only if `DEBUG` is set. Returns the exit code. */
export function reportFailure(
  thrown: unknown,
  stderr: NodeJS.WritableStream,
  env: Readonly<Record<string, string | undefined>>,
): ExitCode {
  const error = explain(thrown);
  stderr.write(`${describeFailure(error)}\n`);
  // To read the variable may be what Deno denies.
  if (!isDenied(thrown) && env.DEBUG && error instanceof Error) stderr.write(`${error.stack}\n`);
  return error instanceof UserError ? error.exitCode : EXIT.bug;
}

/** Erases the `^C` that the terminal shows. */
const ERASE_LINE = "\r\u001b[K";

/**
 * Says on standard error what became of the outputs when a signal ends the process. Returns a function that stops that.
 * Register it first: whoever registers later, such as a progress bar, cleans up before the line is printed.
 */
export function announceInterruption(stderr: OutputStream): () => void {
  return onEndingSignal(() => {
    const outcome = describeOutputs();
    const text = outcome === undefined ? "interrupted" : `interrupted, ${outcome}`;
    stderr.write(`${stderr.isTTY === true ? ERASE_LINE : ""}${text}\n`);
  });
}
