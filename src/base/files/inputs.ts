import { constants } from "node:buffer";
import { type Dirent, readdir } from "node:fs";
import { lstat, open, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { findInvalidUtf8 } from "../json/syntax-error.js";
import { formatBytes, formatCount } from "../text.js";
import { EXIT, UserError } from "../user-error.js";
import { findCompression, HEAD_LENGTH, openInput } from "./open-input.js";
import { isParquet } from "./parquet-input.js";
import {
  directoryError,
  displayName,
  hasCode,
  type InputSource,
  identifyFile,
  STDIN,
  toReadError,
} from "./source.js";

/** Default patterns for searching a folder and its subfolders. */
const RECORD_FILES: readonly string[] = [
  ...["**/*.jsonl", "**/*.jsonl.gz", "**/*.jsonl.zst"],
  "**/*.parquet",
];

interface SearchOptions {
  /** Globs of the files that a folder is searched for, from that folder. Default: JSONL, plain or compressed, and Parquet. */
  readonly patterns?: readonly string[];
  /** Globs of files that are left out of folders and patterns, from the current folder. */
  readonly exclude?: readonly string[];
}

/**
 * Expands names of files, folders and glob patterns to files; `-` is standard input. A name that exists is that
 * file, even if it contains glob characters. The files of a folder or pattern are sorted by path, by code unit.
 *
 * Throws UserError (exit 3) for a folder without matching files, for a pattern that matches nothing, and for a folder
 * within that cannot be read.
 */
export async function expandInputs(
  inputs: readonly string[],
  { cwd }: Pick<InputSource, "cwd">,
  search: SearchOptions = {},
): Promise<string[]> {
  const seen = new Set<string>();
  for (const input of inputs) seen.add(await identifyFile(resolve(cwd, input)));
  const files: string[] = [];
  for (const input of inputs) {
    const found = await expandInput(input, cwd, search);
    // A file found by searching is read once, whatever inputs, links and names lead to it.
    for (const { file, identity } of await identifyAll(found, cwd)) {
      if (file !== input && seen.has(identity)) continue;
      seen.add(identity);
      files.push(file);
    }
  }
  return files;
}

/** The files with their identities, without symbolic links to others of them. */
async function identifyAll(
  files: readonly string[],
  cwd: string,
): Promise<{ readonly file: string; readonly identity: string }[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      const path = resolve(cwd, file);
      const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
      return { file, identity: await identifyFile(path), isLink };
    }),
  );
  const targets = new Set(found.filter(({ isLink }) => !isLink).map(({ identity }) => identity));
  return found.filter(({ isLink, identity }) => !isLink || !targets.has(identity));
}

async function expandInput(
  input: string,
  cwd: string,
  { patterns = RECORD_FILES, exclude = [] }: SearchOptions,
): Promise<string[]> {
  if (input === STDIN) return [input];
  const found = await stat(resolve(cwd, input)).catch(() => undefined);
  if (found?.isFile()) return [input];
  // Lazy, because most inputs are files.
  const { glob, isDynamicPattern } = await import("tinyglobby");
  const { createExclusion } = await import("./exclusion.js");
  const folders = new ReadFolders();
  const isExcluded = createExclusion(exclude);
  const isLeftOut = (file: string): boolean =>
    isExcluded(toSlashes(relative(cwd, resolve(cwd, file))));
  if (found?.isDirectory()) {
    const names = await glob([...patterns], { cwd: resolve(cwd, input), fs: folders });
    folders.requireAll(cwd, isLeftOut);
    const files = names.toSorted().map((name) => join(input, name));
    return requireKept(files, isLeftOut, `${input}: contains no ${patterns.join(", ")}`);
  }
  // A missing file is reported when it is read.
  if (found !== undefined || !isDynamicPattern(input)) return [input];
  const names = await glob(input, { cwd, expandDirectories: false, fs: folders });
  folders.requireAll(cwd, isLeftOut);
  return requireKept(names.toSorted(), isLeftOut, `${input}: matches no file`);
}

/** Reads folders for a search, which leaves out those that cannot be read, and remembers them. */
class ReadFolders {
  readonly #failures = new Map<string, Error>();

  /** As `readdir`, in the one way in which the search calls it. */
  readonly readdir = new Proxy(readdir, {
    apply: (_, __, [path, options, done]: Parameters<typeof readFolder>): void => {
      readFolder(path, options, (error, entries) => {
        if (error !== null && !GONE.some((code) => hasCode(error, code))) {
          this.#failures.set(path, error);
        }
        done(error, entries);
      });
    },
  });

  /** Throws UserError (exit 3) if a folder that is not excluded could not be read: its files would be missing. */
  requireAll(cwd: string, isExcluded: (folder: string) => boolean): void {
    for (const [path, error] of this.#failures) {
      const folder = relative(cwd, path) || ".";
      if (!isExcluded(folder)) throw toReadError(folder, error);
    }
  }
}

/** `readdir` with one of its signatures. */
const readFolder: (
  path: string,
  options: { readonly withFileTypes: true },
  done: (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void,
) => void = readdir;

/** Somebody removed or replaced the folder during the search. */
const GONE = ["ENOENT", "ENOTDIR"];

/** The files that are not excluded. Throws UserError (exit 3) if there are none. */
function requireKept(
  files: readonly string[],
  isExcluded: (file: string) => boolean,
  message: string,
): string[] {
  const kept = files.filter((file) => !isExcluded(file));
  if (kept.length > 0) return kept;
  const excluded = files.length > 0 ? ` (${formatCount(files.length, "excluded file")})` : "";
  throw new UserError(`${message}${excluded}`);
}

/** A path with forward slashes. */
export function toSlashes(path: string): string {
  return path.split(sep).join("/");
}

/**
 * Fails before the first file is read if one is missing, is a directory, or is named twice: a typing mistake
 * should show at once, not after a long run.
 *
 * Throws UserError: exit 3 if an input cannot be read, exit 2 if it is named twice.
 */
export async function requireFiles(files: readonly string[], source: InputSource): Promise<void> {
  const seen = new Set<string>();
  for (const file of files) {
    const identity = file === STDIN ? STDIN : await requireFile(file, resolve(source.cwd, file));
    if (seen.has(identity)) {
      throw new UserError(`${displayName(file)}: given twice; name each input once`, EXIT.usage);
    }
    seen.add(identity);
  }
}

/**
 * Expands names to files that can be read. `others` are further files that are read. Throws as `expandInputs` and
 * `requireFiles` do.
 */
export async function findInputs(
  inputs: readonly string[],
  source: InputSource,
  { others = [], ...search }: SearchOptions & { readonly others?: readonly string[] } = {},
): Promise<string[]> {
  const files = await expandInputs(inputs, source, search);
  await requireFiles([...files, ...others], source);
  return files;
}

/** Returns the file's inode, which identifies it under any name and through links. */
async function requireFile(file: string, path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch((error: unknown) => {
    throw toReadError(file, error);
  });
  if (found.isDirectory()) throw directoryError(file);
  return `${found.dev}:${found.ino}`;
}

/**
 * Tells whether an input is a regular file of uncompressed lines, so that any line of it can be read again. Standard
 * input and pipes are not. Throws UserError (exit 3) if it cannot be read.
 */
export async function isRereadable(file: string, { cwd }: InputSource): Promise<boolean> {
  if (file === STDIN) return false;
  const path = resolve(cwd, file);
  try {
    // Bytes read from a pipe would be lost.
    if (!(await stat(path)).isFile()) return false;
    const handle = await open(path);
    try {
      if (await isParquet(handle)) return false;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_LENGTH), 0, HEAD_LENGTH, 0);
      return findCompression(buffer.subarray(0, bytesRead)) === undefined;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toReadError(file, error);
  }
}

interface ReadTextOptions {
  /** Default: the length of V8's longest string. */
  readonly maxBytes?: number;
  /** Called with every chunk of the file as it is stored. */
  readonly onStored?: ((chunk: Uint8Array) => void) | undefined;
}

/**
 * Reads the whole text of `file`, without a byte-order mark. Decompresses gzip and zstd; `-` is standard input.
 *
 * Throws UserError (exit 3) if the file cannot be read, is not UTF-8, or is longer than `maxBytes`.
 */
export async function readText(
  file: string,
  source: InputSource,
  { maxBytes = constants.MAX_STRING_LENGTH, onStored }: ReadTextOptions = {},
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of openInput(file, source, { onStored })) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new UserError(
        `${displayName(file)}: more than ${formatBytes(maxBytes)}: too long to be read at once`,
      );
    }
    chunks.push(Uint8Array.from(chunk));
  }
  const bytes = Buffer.concat(chunks);
  const invalid = findInvalidUtf8(bytes);
  if (invalid === undefined) return bytes.toString("utf8").replace(/^\ufeff/, "");
  const line = bytes.toString("utf8", 0, invalid).split("\n").length;
  const byte = bytes.toString("hex", invalid, invalid + 1);
  throw new UserError(`${displayName(file)}:${line}: not UTF-8: byte 0x${byte}`);
}
