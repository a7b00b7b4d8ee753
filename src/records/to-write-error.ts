import { UserError } from "../user-error.js";

/** What the commonest codes of node:fs mean for the user. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "a file stands where a folder should be",
  EEXIST: "a file stands where a folder should be",
  EISDIR: "a folder stands in its place",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the quota of the disk is exceeded",
  EFBIG: "it would be larger than a file may be",
};

/** What went wrong while `path` was written, as a UserError with exit code 3; a bug of ours as it is. */
export function toWriteError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  const reason = REASONS[String(error.code)] ?? error.message;
  return new UserError(`${path}: cannot be written: ${reason}`);
}
