import { type Dirent, existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { hasCode, toWriteError } from "./source.js";
import { onEndingSignal } from "./temp.js";

/**
 * Makes a folder and those above it that are missing, one by one: Node's `recursive` never ends where
 * folders cannot be made and the system says ENOENT, such as in /proc. Throws as node:fs does.
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    makeOne(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (!hasCode(error, "ENOENT") || parent === path) throw error;
    makeFolder(parent, mode);
    makeOne(path, mode);
  }
}

/** Makes the folder unless it is there; another process may be first. */
function makeOne(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isThere) throw error;
  }
}

/** Folders that were made for files that are to come. */
export interface MadeFolders {
  /** Removes those in which nothing lies; to be called in any case. */
  removeEmpty(): void;
}

/**
 * Makes what is missing of some folders, absolute paths. Those that stay empty are gone too when a signal ends the
 * process. Throws UserError (exit 3) when one cannot be made; then none remains.
 */
export function makeFolders(paths: readonly string[]): MadeFolders {
  const made: string[] = [];
  const removeAll = (): void => {
    for (const folder of made.toReversed()) removeIfEmpty(folder);
  };
  const release = onEndingSignal(removeAll);
  const removeEmpty = (): void => {
    release();
    removeAll();
  };
  for (const folder of paths.flatMap(listMissing)) {
    try {
      // What two paths lack alike is made once.
      if (existsSync(folder)) continue;
      mkdirSync(folder);
      made.push(folder);
    } catch (error) {
      removeEmpty();
      throw toWriteError(folder, error);
    }
  }
  return { removeEmpty };
}

/** Those of a folder and the ones around it that are not there, from the outside in. */
function listMissing(path: string): string[] {
  if (existsSync(path)) return [];
  return [...listMissing(dirname(path)), path];
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something lies in it, and it is to stay.
  }
}

/** Paths of all files below `folder`, from there, with forward slashes, sorted. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort();
}

/** What lies in `folder` itself, a path from `root`, in the order of the names; nothing when it is not there. */
export function listFolder(root: string, folder: string): Dirent[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
