import { Option } from "commander";
import { EXIT, UserError } from "../../user-error.js";
import type { OptionValues } from "../option-values.js";
import { readWorkers, workersOption } from "../shared-options.js";

/** Options of every command that makes records of rollouts. */
export const runOptions: readonly Option[] = [
  new Option("--skip-invalid", "leave out invalid lines and rollouts, with a warning each"),
  new Option("--rejects <file>", "keep the lines that are left out, with the reasons"),
  workersOption,
];

export interface RunOptions {
  readonly skipInvalid: boolean;
  readonly rejects: string | undefined;
  readonly workers: number;
}

/**
 * Values of `runOptions`; `leavesOut` says whether another option leaves lines out too. Throws UserError
 * (exit 2) for what makes no sense.
 */
export function readRunOptions(options: OptionValues, leavesOut = false): RunOptions {
  const skipInvalid = options.flag("skipInvalid");
  const rejects = options.optionalText("rejects");
  if (rejects !== undefined && !skipInvalid && !leavesOut) {
    throw new UserError("--rejects keeps what --skip-invalid leaves out: give both", EXIT.usage);
  }
  return { skipInvalid, rejects, workers: readWorkers(options) };
}
