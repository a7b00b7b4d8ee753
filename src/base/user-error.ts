/** Exit codes of every command. The table in README.md lists the same codes. */
export const EXIT = {
  ok: 0,
  findings: 1,
  usage: 2,
  unreadable: 3,
  undecided: 4,
  bug: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * An error that the user can fix. Its message is one line that says what is wrong, where, and what to do. Any
 * other exception is a bug in this program (exit 70).
 */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.unreadable) {
    super(message);
    this.exitCode = exitCode;
  }
}
