/** Exit codes of every command; the README's table is this one. */
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
 * A mistake or a circumstance that the user can fix: one line that says what, where and what to
 * do. Everything else that is thrown is a bug of ours (exit 70).
 */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.unreadable) {
    super(message);
    this.exitCode = exitCode;
  }
}
