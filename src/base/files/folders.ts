import { type Dirent, existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { onEndingSignal } from "./ending-signals.js";
import { hasCode, toWriteError } from "./source.js";

/** Creates a folder and its missing parents. Throws the errors of node:fs. */
export function makeFolder(path: string, mode?: number): void {
  makeMissing(path, mode, []);
}

/** Folders that were created for files to be written later. */
interface MadeFolders {
  /** Removes the folders that are still empty. Always call it at the end. */
  removeEmpty(): void;
}

/**
 * Creates folders (absolute paths) and their missing parents. If a signal ends the process, those that are
 * still empty are removed. If one cannot be created, the others are removed and a UserError (exit 3) is thrown.
 */
export function makeFolders(paths: readonly string[]): MadeFolders {
  const made: string[] = [];
  const removeMade = (): void => {
    // Children before parents.
    for (const folder of made.toReversed()) removeIfEmpty(folder);
  };
  const release = onEndingSignal(removeMade);
  const removeEmpty = (): void => {
    release();
    removeMade();
  };
  for (const path of paths) {
    try {
      makeMissing(path, undefined, made);
    } catch (error) {
      removeEmpty();
      throw toWriteError(path, error);
    }
  }
  return { removeEmpty };
}

/**
 * Creates a folder and its missing parents one by one, and adds them to `made`, parents first. Node's
 * `recursive` option hangs where folders cannot be created and the system reports ENOENT, as in /proc.
 */
function makeMissing(path: string, mode: number | undefined, made: string[]): void {
  try {
    makeOne(path, mode, made);
  } catch (error) {
    const parent = dirname(path);
    if (!hasCode(error, "ENOENT") || parent === path) throw error;
    makeMissing(parent, mode, made);
    makeOne(path, mode, made);
  }
}

function makeOne(path: string, mode: number | undefined, made: string[]): void {
  try {
    mkdirSync(path, { mode });
    made.push(path);
  } catch (error) {
    // The folder existed already, or another process has just created it.
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isThere) throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It contains files now.
  }
}

/** Paths of all files below `folder`, relative to it, with forward slashes, sorted. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort();
}

/** Entries of `folder`, a path relative to `root`, sorted by name. Empty if the folder does not exist. */
export function listFolder(root: string, folder: string): Dirent[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
