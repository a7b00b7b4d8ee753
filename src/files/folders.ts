import { type Dirent, existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { hasCode, toWriteError } from "./source.js";
import { onEndingSignal } from "./temp.js";

/** Makes a folder and its missing parents. Throws as node:fs does. */
export function makeFolder(path: string, mode?: number): void {
  makeMissing(path, mode, []);
}

/** Folders that were made for files that follow. */
interface MadeFolders {
  /** Removes those that are still empty. Call it in any case. */
  removeEmpty(): void;
}

/**
 * Makes folders (absolute paths) and their missing parents. If a signal ends the process, those that are
 * still empty are removed. Throws UserError (exit 3) if one cannot be made, and removes the others.
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
 * Makes a folder and its missing parents one by one, and adds them to `made`, parents first. Node's
 * `recursive` never ends where folders cannot be made and the system says ENOENT, such as in /proc.
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
    // It may be there already, or another process was faster.
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isThere) throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It has files now.
  }
}

/** The paths of all files below `folder`, relative to it, with forward slashes, sorted. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort();
}

/** The entries of `folder`, a path relative to `root`, sorted by name; empty if there is no such folder. */
export function listFolder(root: string, folder: string): Dirent[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
