import { Option } from "commander";
import { EXIT, type ExitCode } from "../base/user-error.js";

// What `--help`, the man page and the completion scripts say of the whole program.

export const PROGRAM = "rollout-wire";

export const DESCRIPTION =
  "contracts that hold across repositories, and rollouts that become training data";

/** An option of every command. */
export const quietOption: Option = new Option(
  "-q, --quiet",
  "print results and errors only: no progress, no summary",
);

export const EXIT_MEANINGS: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.ok, "clean"],
  [EXIT.findings, "findings of severity error"],
  [EXIT.usage, "usage: an unknown flag, a missing argument, an output that another run writes"],
  [EXIT.unreadable, "a file cannot be read or written, or the system refuses threads"],
  [EXIT.undecided, "undecided: diff or drift can neither prove nor refute that a change breaks"],
  [EXIT.bug, "a bug in rollout-wire; run again with DEBUG=1 and report the stack"],
];
