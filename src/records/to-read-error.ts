import { UserError } from "../user-error.js";
import { displayName } from "./input-source.js";

const IS_DIRECTORY = "is a directory; name the files in it";

/** What the commonest codes of node:fs mean for the user. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  EISDIR: IS_DIRECTORY,
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/**
 * What went wrong while `file` was read, as a UserError with exit code 3. An error that neither the
 * system nor zlib threw is given back as it is: it is a bug of ours.
 */
export function toReadError(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") {
    return error;
  }
  if (/^Z_|^ZSTD_/.test(error.code)) {
    const packing = error.code.startsWith("Z_") ? "gzip" : "zstd";
    return new UserError(`${displayName(file)}: damaged ${packing} data: ${error.message}`);
  }
  if (!("syscall" in error)) return error;
  return new UserError(`${displayName(file)}: ${REASONS[error.code] ?? error.message}`);
}

/** The same for a directory that was noticed before it was read. */
export function directoryError(file: string): UserError {
  return new UserError(`${displayName(file)}: ${IS_DIRECTORY}`);
}
