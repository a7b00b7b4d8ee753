import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "../records/has-code.js";

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
