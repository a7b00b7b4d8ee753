import { Option } from "commander";
import { EXIT, UserError } from "../../user-error.js";
import type { OptionValues } from "../option-values.js";
import { readWorkers, workersOption } from "../shared-options.js";

/** Options of every command that may leave lines out. */
export const leaveOutOptions: readonly Option[] = [
  new Option("--skip-invalid", "leave out invalid lines and rollouts, with a warning each"),
  new Option("--rejects <file>", "keep the lines that are left out, with the reasons"),
];

/** Options of every command that makes records of rollouts. */
export const runOptions: readonly Option[] = [...leaveOutOptions, workersOption];

export interface LeaveOutOptions {
  readonly skipInvalid: boolean;
  readonly rejects: string | undefined;
}

export interface RunOptions extends LeaveOutOptions {
  readonly workers: number;
}

/**
 * Values of `leaveOutOptions`; `leavesOut` says whether another option leaves lines out too. Throws UserError
 * (exit 2) for what makes no sense.
 */
export function readLeaveOutOptions(options: OptionValues, leavesOut = false): LeaveOutOptions {
  const skipInvalid = options.flag("skipInvalid");
  const rejects = options.optionalText("rejects");
  if (rejects !== undefined && !skipInvalid && !leavesOut) {
    throw new UserError("--rejects keeps what --skip-invalid leaves out: give both", EXIT.usage);
  }
  return { skipInvalid, rejects };
}

/** Values of `runOptions`. Throws as `readLeaveOutOptions` does. */
export function readRunOptions(options: OptionValues, leavesOut = false): RunOptions {
  return { ...readLeaveOutOptions(options, leavesOut), workers: readWorkers(options) };
}
