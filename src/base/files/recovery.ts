import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isJsonObject } from "../json/value.js";
import { formatCount } from "../text.js";
import { UserError } from "../user-error.js";
import { createOwnerTag, hasOwnerEnded, readTagPid } from "./process-identity.js";
import {
  createLock,
  isGone,
  isLockName,
  isOwn,
  isRunFile,
  parseRunFile,
  readLock,
  toFormerPath,
  toGuardPath,
  toJournalPath,
  toLockPath,
  toStagedPath,
} from "./run-files.js";
import { hasCode, toWriteError } from "./source.js";

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
  const entries = moves.map(({ path, omit }) => ({ path: relative(home, path), omit }));
  const file = openSync(toJournalPath(home, tag), "wx", 0o600);
  try {
    writeFileSync(file, `${JSON.stringify({ moves: entries })}\n`);
    syncFile(file);
  } finally {
    closeSync(file);
  }
  syncFolders([home]);
}

/** Flushes a file to disk, unless Node's permission model forbids that: then a power cut may lose it. */
function syncFile(file: number): void {
  try {
    fsyncSync(file);
  } catch (error) {
    if (!hasCode(error, "ERR_ACCESS_DENIED")) throw error;
  }
}

export function removeJournal(home: string, tag: string): void {
  rmSync(toJournalPath(home, tag), { force: true });
}

/**
 * Returns no moves if the journal is missing or incomplete: then none was made. Throws UserError (exit 3) for the
 * journal of another user, who could make this one move any file.
 */
function readJournal(home: string, tag: string): Move[] {
  const path = toJournalPath(home, tag);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return [];
  if (!isOwn(found)) {
    throw new UserError(
      `${path}: a run of another user was killed while it renamed its outputs: that user has to run it again`,
    );
  }
  let journal: unknown;
  try {
    journal = JSON.parse(readFileSync(path, "utf8"));
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
      const descriptor = openSync(folder, "r");
      try {
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // Some file systems cannot sync a folder.
    }
  }
}

/** A run that has ended, with the folder of its journal. */
interface EndedRun {
  readonly tag: string;
  readonly home: string;
}

/**
 * Settles what a run left behind that was killed: completes the moves of its journal, and removes its other files
 * from `folder`. Returns false if another process is just doing so. `onRecovered` gets a line if a move was completed.
 *
 * Throws UserError (exit 3) if a file cannot be moved. Its journal then remains.
 */
export function settleRun(
  folder: string,
  { tag, home }: EndedRun,
  onRecovered: (line: string) => void,
): boolean {
  return withGuard(home, tag, () => {
    const completed = readJournal(home, tag).filter((move) => completeMove(move, tag));
    removeRest(folder, tag);
    removeJournal(home, tag);
    const [first, ...others] = completed;
    if (first === undefined) return;
    const more = others.length > 0 ? ` and ${formatCount(others.length, "other file")}` : "";
    onRecovered(
      `completed what process ${readTagPid(tag)} was writing when it was killed: ${first.path}${more}`,
    );
  });
}

/** Makes a move, unless it was made before. A run without the lock of an output has nothing to do with it any more. */
function completeMove({ path, omit }: Move, tag: string): boolean {
  const lock = toLockPath(path);
  if (readLock(lock)?.tag !== tag) return false;
  const staged = toStagedPath(path, tag);
  const isPending = omit ? existsSync(path) : existsSync(staged);
  try {
    if (isPending && omit) rmSync(path);
    else if (isPending) renameSync(staged, path);
  } catch (error) {
    throw toWriteError(path, error);
  }
  syncFolders([dirname(path)]);
  for (const each of [staged, toFormerPath(path, tag), lock]) rmSync(each, { force: true });
  return isPending;
}

/** Removes the staged files of a run from a folder, and then its locks: a lock is the last of its output's files. */
function removeRest(folder: string, tag: string): void {
  const names = readdirSync(folder);
  for (const name of names) {
    const file = parseRunFile(name);
    if (file?.tag === tag && file.kind === "tmp") rmSync(join(folder, name), { force: true });
  }
  for (const path of names.filter(isLockName).map((name) => join(folder, name))) {
    if (readLock(path)?.tag === tag) rmSync(path, { force: true });
  }
}

/**
 * Calls `action` while no other process settles the run `tag`, so that a slow one never touches files of the run
 * that follows. Returns false if another process is at it.
 */
function withGuard(home: string, tag: string, action: () => void): boolean {
  const path = toGuardPath(home, tag);
  const own = createOwnerTag();
  if (!createLock(path, own, home)) {
    const other = readLock(path);
    if (other === undefined || !isGone(other)) return false;
    // Its holder was killed too, and its guard is removed like any other file of a killed run.
    const remove = (): void => {
      if (readLock(path)?.tag === other.tag) rmSync(path, { force: true });
    };
    if (other.tag === undefined) remove();
    else if (!withGuard(home, other.tag, remove)) return false;
    if (!createLock(path, own, home)) return false;
  }
  try {
    action();
  } finally {
    rmSync(path, { force: true });
  }
  return true;
}

/**
 * Settles the runs of this user that left files in a folder and whose processes have certainly ended. Files of live
 * processes, and of other machines, containers and users, stay. A file that cannot be removed is in nobody's way.
 */
export function sweepFolder(folder: string, onRecovered: (line: string) => void): void {
  for (const run of findRuns(folder)) {
    if (hasOwnerEnded(run.tag) !== true) continue;
    try {
      settleRun(folder, run, onRecovered);
    } catch {
      // The run that needs the output says why.
    }
  }
}

function findRuns(folder: string): EndedRun[] {
  const runs = new Map<string, EndedRun>();
  for (const name of listRunFiles(folder)) {
    const file = parseRunFile(name);
    // A former file that remains could not be put back, and the message of its run names it.
    if (file !== undefined && file.kind !== "old" && !runs.has(file.tag)) {
      runs.set(file.tag, { tag: file.tag, home: folder });
    }
    if (!isLockName(name)) continue;
    const holder = readLock(join(folder, name));
    if (holder?.tag !== undefined) runs.set(holder.tag, { tag: holder.tag, home: holder.home });
  }
  return [...runs.values()];
}

/** Names of the files of runs of this user. */
function listRunFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(isRunFile)
      .filter((name) => {
        const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
        return found !== undefined && isOwn(found);
      });
  } catch {
    // A folder that cannot be read cannot be written to either.
    return [];
  }
}
