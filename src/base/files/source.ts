import { stat } from "node:fs/promises";
import { UserError } from "../user-error.js";

/** Tells whether a thrown value is a Node error with this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

const TOO_MANY_FILES = "too many files are open: raise the limit (ulimit -n)";
const IS_DIRECTORY = "is a directory; name the files in it";

/** User-facing descriptions of the most common node:fs read errors. */
const READ_REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  EISDIR: IS_DIRECTORY,
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  ERR_ACCESS_DENIED: "permission denied by Node: permit it with --allow-fs-read",
  ERR_FS_FILE_TOO_LARGE: "is too large to be read at once: more than 2 GiB",
};

/**
 * Converts an error thrown while `file` was read to a UserError (exit 3). Returns the error unchanged if
 * neither the system nor zlib threw it: then it is a bug in this program.
 */
export function toReadError(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") {
    return error;
  }
  if (/^Z_|^ZSTD_/.test(error.code)) {
    const compression = error.code.startsWith("Z_") ? "gzip" : "zstd";
    return new UserError(`${displayName(file)}: damaged ${compression} data: ${error.message}`);
  }
  if (!isSystemError(error)) return error;
  // Node puts U+FFFD for bytes of a name that are not UTF-8, and then finds no file of that name.
  const isMisread = error.code === "ENOENT" && file.includes("\ufffd");
  const reason = READ_REASONS[error.code] ?? error.message;
  const advice = isMisread ? "; if its name is not UTF-8, rename it or leave it out" : "";
  return new UserError(`${displayName(file)}: ${reason}${advice}`);
}

/** The same UserError for a directory that was detected before reading. */
export function directoryError(file: string): UserError {
  return new UserError(`${displayName(file)}: ${IS_DIRECTORY}`);
}

/** User-facing descriptions of the most common node:fs write errors. */
const WRITE_REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "a file is where a folder should be",
  EEXIST: "a file is where a folder should be",
  EISDIR: "a folder is already there",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is exceeded",
  EFBIG: "it would exceed the maximum file size",
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  ERR_ACCESS_DENIED: "permission denied by Node: permit it with --allow-fs-write",
};

/** Converts an error thrown while `path` was written to a UserError (exit 3). Returns any other error unchanged. */
export function toWriteError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !isSystemError(error)) return error;
  const reason = WRITE_REASONS[String(error.code)] ?? error.message;
  return new UserError(`${path}: cannot be written: ${reason}`);
}

/** Whether the system threw an error, or Node in its place: its permission model, or a limit of its buffers. */
function isSystemError(error: Error): boolean {
  const codes = ["ERR_ACCESS_DENIED", "ERR_FS_FILE_TOO_LARGE"];
  return "syscall" in error || codes.some((code) => hasCode(error, code));
}

/** Identifies an existing file by its inode, under any name and through links, and any other file by its path. */
export async function identifyFile(path: string): Promise<string> {
  const existing = await stat(path, { bigint: true }).catch(() => undefined);
  return existing ? `${existing.dev}:${existing.ino}` : path;
}

/** Where files and standard input are read from. */
export interface InputSource {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Folder against which relative paths are resolved. */
  readonly cwd: string;
}

/** Standard input and working folder of this process. Neither is accessed before it is needed. */
export const processSource: InputSource = {
  get stdin() {
    return process.stdin;
  },
  get cwd() {
    return process.cwd();
  },
};

/** Name of standard input on a command line. */
export const STDIN = "-";

/** The file name as it appears in findings and messages. */
export function displayName(file: string): string {
  return file === STDIN ? "<stdin>" : file;
}
