import { UserError } from "../user-error.js";

/** What went wrong while `path` was written, as a UserError with exit code 3; a bug of ours as it is. */
export function toWriteError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  return new UserError(`${path}: cannot be written: ${error.message}`);
}
