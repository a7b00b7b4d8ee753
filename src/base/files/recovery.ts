import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isJsonObject } from "../json/value.js";
import { formatCount } from "../text.js";
import { UserError } from "../user-error.js";
import {
  createOwned,
  readOwned,
  removeFile,
  removeIfEmpty,
  removeOwned,
  takeOver,
} from "./owned-folder.js";
import { createOwnerTag, hasOwnerEnded, isGone, readTagPid } from "./owners.js";
import {
  isLockName,
  isOwn,
  isStagedName,
  toFormerPath,
  toJournalPath,
  toLockPath,
  toStagedPath,
} from "./run-files.js";
import { hasCode, toWriteError } from "./source.js";

// What a run leaves when it is killed, by the moment, and what the next run in the folder makes of it:
//
//   it locks an output          a folder, perhaps without the run's name           removed
//   it stages files             locks, .tmp                                        removed
//   it writes the journal       also .journal, perhaps with a part of its text     removed
//   it renames files            also .old; .journal is whole                       the moves are made, and all is removed
//   it removes the rest         .old, .journal, locks                              removed
//   it releases its locks       locks, perhaps without its name                    removed
//   it completes another run    the .journal has its name                          taken over, as if the first were killed
//
// The locks are the last to be removed, so a run is found by them.

/** One of the changes that a run makes together. */
export interface Move {
  /** Absolute path of the output. */
  readonly path: string;
  /** Whether an existing file is removed, instead of being replaced by the staged one. */
  readonly omit: boolean;
}

/**
 * Writes down the moves of the run `tag` before the first of them. From then on they are completed even if the
 * process is killed, because all new contents are on disk. Throws the errors of node:fs.
 */
export function writeJournal(home: string, tag: string, moves: readonly Move[]): void {
  const path = toJournalPath(home, tag);
  const entries = moves.map(({ path, omit }) => ({ path: relative(home, path), omit }));
  if (!createOwned(path, tag, `${JSON.stringify({ moves: entries })}\n`)) {
    throw new UserError(`${path}: is in the way: remove it`);
  }
  flush(join(path, tag));
  syncFolders([path, home]);
}

/** Flushes a file or folder to disk, unless Node's permission model forbids that: then a power cut may lose it. */
function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!hasCode(error, "ERR_ACCESS_DENIED")) throw error;
  } finally {
    closeSync(descriptor);
  }
}

export function removeJournal(home: string, tag: string): void {
  removeOwned(toJournalPath(home, tag), tag);
}

/**
 * The moves in a journal of `home`, given by its file and text. Throws UserError (exit 3) for the journal of another user,
 * who could make this one move any file.
 */
function readMoves(home: string, file: string, text: string): Move[] {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !isOwn(found)) {
    throw new UserError(
      `${file}: a run of another user was killed while it renamed its outputs: that user has to run it again`,
    );
  }
  let journal: unknown;
  try {
    journal = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isJsonObject(journal) || !Array.isArray(journal.moves)) return [];
  return journal.moves.filter(isJsonObject).flatMap(({ path, omit }) => {
    return typeof path === "string" ? [{ path: resolve(home, path), omit: omit === true }] : [];
  });
}

/** Keeps a power cut from undoing renames in these folders. Where a folder cannot be synced, this is skipped. */
export function syncFolders(folders: readonly string[]): void {
  for (const folder of new Set(folders)) {
    try {
      flush(folder);
    } catch {
      // Some file systems cannot sync a folder.
    }
  }
}

/**
 * Settles what the owner of a lock in `folder` left behind when it was killed: completes the moves of its journal, and
 * removes its other files from the folder, its locks last. Returns false if another process is already doing so.
 * `onRecovered` gets a line if a move was completed.
 *
 * Throws UserError (exit 3) if a file cannot be moved. Its journal then remains.
 */
export function settleRun(
  folder: string,
  { tag, text }: { readonly tag: string; readonly text: string },
  onRecovered: (line: string) => void,
): boolean {
  const named = resolve(folder, text);
  const home = existsSync(named) ? named : folder;
  const path = toJournalPath(home, tag);
  const journal = readOwned(path);
  if (journal?.tag === undefined) {
    // Without a journal no move was made, or all were.
    if (!removeIfEmpty(path)) return false;
    removeRest(folder, tag);
    return true;
  }
  const moves = readMoves(home, join(path, journal.tag), journal.text);
  // If the process that completes the moves is killed too, the next one takes the journal over.
  const settler = createOwnerTag();
  if (!isGone(journal) || !takeOver(path, journal.tag, settler)) return false;
  let completed: readonly Move[];
  try {
    completed = moves.filter((move) => completeMove(move, tag));
  } catch (error) {
    takeOver(path, settler, journal.tag);
    throw error;
  }
  removeOwned(path, settler);
  for (const each of moves) removeOwned(toLockPath(each.path), tag);
  removeRest(folder, tag);
  const [first, ...others] = completed;
  if (first === undefined) return true;
  const more = others.length > 0 ? ` and ${formatCount(others.length, "other file")}` : "";
  onRecovered(
    `completed what process ${readTagPid(tag)} was writing when it was killed: ${first.path}${more}`,
  );
  return true;
}

/** Makes a move, unless it was made before. If the run no longer holds the lock of the output, leaves the output alone. */
function completeMove({ path, omit }: Move, tag: string): boolean {
  if (readOwned(toLockPath(path))?.tag !== tag) return false;
  const staged = toStagedPath(path, tag);
  const isPending = omit ? existsSync(path) : existsSync(staged);
  try {
    if (isPending && omit) rmSync(path);
    else if (isPending) renameSync(staged, path);
  } catch (error) {
    throw toWriteError(path, error);
  }
  syncFolders([dirname(path)]);
  for (const each of [staged, toFormerPath(path, tag)]) rmSync(each, { force: true });
  return isPending;
}

/** Throws UserError (exit 3), which names the file that cannot be removed. */
function removeRest(folder: string, tag: string): void {
  const names = readdirSync(folder);
  const staged = names.filter((name) => isStagedName(name, tag));
  for (const path of [...staged, ...names.filter(isLockName)].map((name) => join(folder, name))) {
    try {
      if (path.endsWith(".lock")) removeOwned(path, tag);
      else removeFile(path);
    } catch (error) {
      throw toWriteError(path, error);
    }
  }
}

/**
 * Settles the runs of this user that hold locks in a folder and whose processes have certainly ended. Files of live
 * processes, and of other machines, containers and users, stay. A file that cannot be removed does no harm.
 */
export function sweepFolder(folder: string, onRecovered: (line: string) => void): void {
  for (const path of listOwnLocks(folder)) {
    try {
      const { tag, text = "" } = readOwned(path) ?? {};
      if (tag === undefined) removeIfEmpty(path);
      else if (hasOwnerEnded(tag) === true) settleRun(folder, { tag, text }, onRecovered);
    } catch {
      // The run that needs the output says why.
    }
  }
}

function listOwnLocks(folder: string): string[] {
  try {
    const paths = readdirSync(folder)
      .filter(isLockName)
      .map((name) => join(folder, name));
    return paths.filter((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found !== undefined && isOwn(found);
    });
  } catch {
    // A folder that cannot be read cannot be written to either.
    return [];
  }
}
