import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { onEndingSignal } from "../../records/on-ending-signal.js";
import { toWriteError } from "../../records/to-write-error.js";

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
