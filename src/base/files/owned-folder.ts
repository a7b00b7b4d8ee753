import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isOwnerTag, type Owner } from "./owners.js";
import { hasCode } from "./source.js";

// A folder that has one owner at a time. Its only file is named for the owner, and the time of that file is the owner's
// last sign of life. Nobody needs a lock to take such a folder over: the file system renames or removes a file for one
// process only, and the name says whose it was, so a slow process never touches what a later owner has.

/** An owner, and the text that it left. */
export interface Owned extends Owner {
  readonly text: string;
}

/**
 * Creates such a folder. Returns false if something is there, or if another process creates it at the same moment: of
 * several, one succeeds, at once or when it tries again. Throws the errors of node:fs.
 */
export function createOwned(path: string, tag: string, text = ""): boolean {
  try {
    mkdirSync(path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
  try {
    copyMode(dirname(path), path);
    writeFileSync(join(path, tag), text);
    if (readdirSync(path).length === 1) return true;
    removeOwned(path, tag);
  } catch (error) {
    removeOwned(path, tag);
    if (!hasCode(error, "ENOENT")) throw error;
  }
  // While it was empty, another process removed it and created its own.
  return false;
}

/** Whoever may write in a folder may also remove what an ended process owned there. Follows no link that replaced `to`. */
function copyMode(from: string, to: string): void {
  try {
    const folder = openSync(to, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      fchmodSync(folder, statSync(from).mode | 0o700);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Some file systems have no modes, and Node's permission model forbids this.
  }
}

/** The owner of such a folder; undefined if there is none. Throws the errors of node:fs. */
export function readOwned(path: string): Owned | undefined {
  try {
    const folder = lstatSync(path);
    const names = folder.isDirectory() ? readdirSync(path) : [path];
    if (names.length === 0) return undefined;
    const tag = names.find(isOwnerTag);
    if (tag === undefined) return { tag, text: "", seenAt: folder.mtimeMs };
    const file = lstatSync(join(path, tag));
    // To read a pipe in its place could take forever.
    const text = file.isFile() ? readFileSync(join(path, tag), "utf8") : "";
    return { tag, text, seenAt: file.mtimeMs };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Gives a sign of life at a time in milliseconds since 1970. Throws the errors of node:fs. */
export function giveSign(path: string, tag: string, now: number = Date.now()): void {
  utimesSync(join(path, tag), now / 1000, now / 1000);
}

/** Makes `to` the owner in place of `from`. Returns false if another process was faster. Throws the errors of node:fs. */
export function takeOver(path: string, from: string, to: string): boolean {
  try {
    giveSign(path, from);
    renameSync(join(path, from), join(path, to));
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** Removes a folder if `tag` owns it, or nobody. Throws the errors of node:fs. */
export function removeOwned(path: string, tag: string): void {
  removeFile(join(path, tag));
  removeIfEmpty(path);
}

/** Removes a file, if it is there. Throws the errors of node:fs; `rmSync` changes some of them. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT") && !hasCode(error, "ENOTDIR")) throw error;
  }
}

/** Returns whether there is no such folder now. */
export function removeIfEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return hasCode(error, "ENOENT");
  }
}
