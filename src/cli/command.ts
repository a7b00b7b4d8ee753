import type { Option } from "commander";
import type { InputSource } from "../files/source.js";
import type { ExitCode } from "../user-error.js";
import type { OptionValues } from "./option-values.js";

/** A stream that may be a terminal. */
export type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Everything that a command knows of the world: nothing else is read, nothing else is written. */
export interface CommandContext extends InputSource {
  /** Results only. */
  readonly stdout: OutputStream;
  /** Everything else: summaries, mistakes. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the user asked a command to do. */
export interface CommandInput {
  readonly operands: readonly string[];
  readonly options: OptionValues;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Operands as commander declares them, such as `<file...>` or `<old> <new>`; none when absent. */
  readonly operands?: string;
  readonly options: readonly Option[];
  /** Command lines without the program's name, for `--help`. */
  readonly examples: readonly string[];
  /** Throws UserError for a mistake of the user's. */
  run(input: CommandInput, context: CommandContext): Promise<ExitCode>;
}
