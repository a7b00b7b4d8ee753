import { UserError } from "../user-error.js";

/** Whether what was thrown is an error of Node with this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

const IS_DIRECTORY = "is a directory; name the files in it";

/** What the commonest codes of node:fs mean for the user. */
const READ_REASONS: Readonly<Record<string, string>> = {
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
    const compression = error.code.startsWith("Z_") ? "gzip" : "zstd";
    return new UserError(`${displayName(file)}: damaged ${compression} data: ${error.message}`);
  }
  if (!("syscall" in error)) return error;
  return new UserError(`${displayName(file)}: ${READ_REASONS[error.code] ?? error.message}`);
}

/** The same for a directory that was noticed before it was read. */
export function directoryError(file: string): UserError {
  return new UserError(`${displayName(file)}: ${IS_DIRECTORY}`);
}

/** What the commonest codes of node:fs mean for the user. */
const WRITE_REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "a file is where a folder should be",
  EEXIST: "a file is where a folder should be",
  EISDIR: "a folder is already there",
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
  const reason = WRITE_REASONS[String(error.code)] ?? error.message;
  return new UserError(`${path}: cannot be written: ${reason}`);
}

/** Where files and standard input are read from. */
export interface InputSource {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Folder from which relative paths are resolved. */
  readonly cwd: string;
}

/** Standard input and working folder of this process; neither is touched before it is needed. */
export const processSource: InputSource = {
  get stdin() {
    return process.stdin;
  },
  get cwd() {
    return process.cwd();
  },
};

/** Name of standard input among the files of a command line. */
export const STDIN = "-";

/** A file as findings and messages call it. */
export function displayName(file: string): string {
  return file === STDIN ? "<stdin>" : file;
}
