import { availableParallelism } from "node:os";
import { Option } from "commander";
import type { FindingLimits } from "../base/findings/finding-list.js";
import { reporters } from "../base/reporters/index.js";
import { EXIT, UserError } from "../base/user-error.js";
import type { OptionValues } from "./command.js";
import { parseCount } from "./option-parsers.js";

/** Default of `--max-errors`. */
export const DEFAULT_MAX_ERRORS = 100;

/** Options with the same meaning in every command that reports findings. */
export const findingOptions: readonly Option[] = createFindingOptions();

/** The same with further values of `--format`, which the command prints itself. */
export function createFindingOptions(...formats: readonly string[]): readonly Option[] {
  return [
    new Option("-f, --format <name>", "how findings are printed")
      .choices([...reporters.map(({ id }) => id), ...formats])
      .default(reporters[0]?.id),
    new Option("--max-errors <n>", "list at most n errors and n warnings, and count the rest")
      .argParser(parseCount)
      .default(DEFAULT_MAX_ERRORS),
    new Option("--max-warnings <n>", "count every warning after the n-th as an error").argParser(
      parseCount,
    ),
  ];
}

/** Option of every command about copies. */
export const registryOption: Option = new Option(
  "--registry <file>",
  "registry of the schemas whose copies these are (default: that of this package)",
);

/** Reads how many findings are listed and allowed from `findingOptions`. */
export function readFindingLimits(options: OptionValues): FindingLimits {
  return {
    maxErrors: options.count("maxErrors"),
    maxWarnings: options.optionalCount("maxWarnings"),
  };
}

export const schemaRootOption: Option = new Option(
  "--schema-root <folder>",
  "where references to other schemas may begin",
);

/** With more threads, the cost in memory outweighs the saved time. */
const MAX_WORKERS = 256;

export const workersOption: Option = new Option("-j, --workers <n>", "threads, this one included")
  .argParser(parseCount)
  .default(availableParallelism(), "one per core");

/** Reads `workersOption`. Throws UserError (exit 2) if it is out of range. */
export function readWorkers(options: OptionValues): number {
  const workers = options.count("workers");
  if (workers < 1 || workers > MAX_WORKERS) {
    throw new UserError(`--workers must be from 1 to ${MAX_WORKERS}`, EXIT.usage);
  }
  return workers;
}

/** Option of every command that can omit lines. */
export const skipInvalidOption: Option = new Option(
  "--skip-invalid",
  "leave out invalid lines and rollouts, with a warning each",
);

/** Options of those that can keep the omitted lines. */
export const leaveOutOptions: readonly Option[] = [
  skipInvalidOption,
  new Option("--rejects <file>", "write the lines that are left out to a file, with the reasons"),
];

/** Options of every command that builds records from rollouts. */
export const runOptions: readonly Option[] = [...leaveOutOptions, workersOption];

interface LeaveOutOptions {
  readonly skipInvalid: boolean;
  readonly rejects: string | undefined;
}

export interface RunOptions extends LeaveOutOptions {
  readonly workers: number;
}

/**
 * Reads `leaveOutOptions`. `leavesOut` tells whether another option omits lines too. Throws UserError (exit 2)
 * for inconsistent options.
 */
export function readLeaveOutOptions(options: OptionValues, leavesOut = false): LeaveOutOptions {
  const skipInvalid = options.flag("skipInvalid");
  const rejects = options.optionalText("rejects");
  if (rejects !== undefined && !skipInvalid && !leavesOut) {
    throw new UserError("--rejects requires --skip-invalid", EXIT.usage);
  }
  return { skipInvalid, rejects };
}

/** Reads `runOptions`. Throws as `readLeaveOutOptions` does. */
export function readRunOptions(options: OptionValues, leavesOut = false): RunOptions {
  return { ...readLeaveOutOptions(options, leavesOut), workers: readWorkers(options) };
}
