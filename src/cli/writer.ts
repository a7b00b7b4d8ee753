import type { Report } from "../base/findings/report.js";
import type { LinesOutcome, LinesRequest } from "../base/run/run-lines.js";
import { EXIT, type ExitCode } from "../base/user-error.js";
import type { Command, CommandContext, CommandInput } from "./command.js";
import { readFindingLimits } from "./options.js";
import { printReport } from "./output.js";
import { startProgress } from "./progress.js";
import { reportRecovery } from "./summary.js";

/** What every run over lines takes from its command. */
export type RunBase = Pick<LinesRequest, "limits" | "startProgress" | "onRecovered">;

/** A run that has ended. */
interface Finished {
  readonly outcome: Pick<LinesOutcome, "findings" | "written">;
  /** Whole lines for standard error. */
  readonly summary: string;
  /** Hides the secrets that the report quotes. Undefined: there are none to hide. */
  readonly hide?: (report: Report) => Report;
}

/** A command that runs over the lines of files. */
interface LinesCommand extends Omit<Command, "run"> {
  /** Runs. Returns an exit code if it did something else, such as to explain. Throws as `run` of a command does. */
  perform(
    input: CommandInput,
    context: CommandContext,
    base: RunBase,
  ): Promise<Finished | ExitCode>;
}

/** Defines a command that prints its findings on stdout, if it has options for them, and a summary on stderr. */
export function defineWriter(name: string, { perform, ...command }: LinesCommand) {
  return {
    ...command,
    async run(input: CommandInput, context: CommandContext): Promise<ExitCode> {
      const { options } = input;
      const format = options.optionalText("format");
      const done = await perform(input, context, {
        limits: format === undefined ? { maxErrors: 0 } : readFindingLimits(options),
        startProgress: (files) => startProgress(files, context),
        ...reportRecovery(context),
      });
      if (typeof done === "number") return done;
      const { outcome, summary, hide = (report) => report } = done;
      if (format !== undefined) {
        printReport(hide(outcome.findings.toReport(name)), format, context);
      }
      context.stderr.write(summary);
      return outcome.written ? EXIT.ok : EXIT.findings;
    },
  };
}
