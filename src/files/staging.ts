import { existsSync, linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { chmod, type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { UserError } from "../user-error.js";
import { makeFolders } from "./folders.js";
import { OutputLocks } from "./output-locks.js";
import { removeJournal, syncFolders, writeJournal } from "./recovery.js";
import { toFormerPath, toStagedPath } from "./run-files.js";
import { toWriteError } from "./source.js";
import { onEndingSignal } from "./temp.js";

/** A file that is written under a temporary name in its target folder. */
export interface StagedFile {
  /** Final absolute path. */
  readonly path: string;
  /** Appends; text is encoded as UTF-8. Throws UserError (exit 3) if the file cannot be written. */
  write(content: string | Uint8Array): Promise<void>;
  /** Removes what was written so far. Throws as `write` does. */
  clear(): Promise<void>;
  /** Requests that no such file exist after the commit. An existing one is removed then. */
  omit(): void;
}

/** Files that are replaced atomically. */
export interface FileStaging {
  /**
   * Creates folders (absolute paths) and their missing parents. Those that stay empty are removed at the end. Throws
   * UserError (exit 3) if one cannot be created.
   */
  makeFolders(paths: readonly string[]): void;
  /**
   * Locks files that may be written, given by absolute paths in existing folders, before any work is done. What killed
   * runs left in their folders is settled: outputs that were partly renamed are completed, other files are removed.
   *
   * Throws UserError: exit 2 if another run is writing one of them, exit 3 if a folder cannot be written to.
   */
  reserve(paths: readonly string[]): Promise<void>;
  /** Settles what killed runs left in a folder, which may be missing, as `reserve` does. */
  sweep(folder: string): void;
  /**
   * Starts a file at an absolute path whose folder exists, and locks it unless it is reserved. Throws UserError as
   * `reserve` does, and (exit 3) if the file cannot be written.
   */
  open(path: string): Promise<StagedFile>;
  /** Removes the files that were started. They stay locked. */
  discard(): Promise<void>;
  /**
   * Flushes all files to disk and renames them into place. If one fails, the former files are restored and a
   * UserError (exit 3) is thrown. If the process is killed meanwhile, the next run in one of the folders completes it.
   */
  commit(): Promise<void>;
  /** Removes all files that were not committed, and unlocks all. Always call it at the end. */
  close(): Promise<void>;
}

interface StagingOptions {
  /** Called with a line for people if the outputs of a killed run were completed. */
  readonly onRecovered?: ((line: string) => void) | undefined;
}

/**
 * Stages files: each is written and flushed under a temporary name, then all are renamed into place. Until then
 * the former files stay intact. If a signal ends the process, the temporary files are removed; after SIGKILL, the
 * next run that writes to their folder removes them.
 */
export function stageFiles({ onRecovered = () => {} }: StagingOptions = {}): FileStaging {
  let files: OpenFile[] = [];
  const locks = new OutputLocks(onRecovered);
  const folders: { removeEmpty(): void }[] = [];
  const removeAll = () => {
    for (const file of files) file.remove();
    locks.release();
    for (const made of folders.toReversed()) made.removeEmpty();
  };
  const release = onEndingSignal(removeAll);
  return {
    makeFolders(paths) {
      folders.push(makeFolders(paths));
    },
    async reserve(paths) {
      // In one order, so that of two runs with the same outputs one gets them all.
      for (const path of paths.toSorted()) await locks.acquire(path);
    },
    sweep: (folder) => locks.sweep(folder),
    async open(path) {
      await locks.acquire(path);
      const file = new OpenFile(path, locks.tag);
      files.push(file);
      await file.open();
      return file;
    },
    async discard() {
      for (const file of files) await file.abandon();
      for (const file of files) file.remove();
      files = [];
    },
    async commit() {
      for (const file of files) await file.finish();
      if (files.length > 0) commitFiles(files, locks);
      files = [];
    },
    async close() {
      try {
        for (const file of files) await file.abandon();
      } finally {
        removeAll();
        release();
      }
    },
  };
}

/** Calls `use` with a staging that is closed at the end: see `stageFiles`. */
export async function withStaging<Result>(
  options: StagingOptions,
  use: (staging: FileStaging) => Promise<Result>,
): Promise<Result> {
  const staging = stageFiles(options);
  try {
    return await use(staging);
  } finally {
    await staging.close();
  }
}

class OpenFile implements StagedFile {
  readonly path: string;
  /** The new file until it is committed. */
  readonly staged: string;
  /** A second name of the former file while the new files are renamed into place. */
  readonly former: string;
  #handle: FileHandle | undefined;
  #isOmitted = false;
  #undo: (() => void) | undefined;
  #keepsFormer = false;

  constructor(path: string, tag: string) {
    this.path = path;
    this.staged = toStagedPath(path, tag);
    this.former = toFormerPath(path, tag);
  }

  /** Whether the commit removes the file. */
  get isOmitted(): boolean {
    return this.#isOmitted;
  }

  /** Only those who may read the former file may read the new one while it is written. */
  async open(): Promise<void> {
    await this.#try(async () => {
      this.#handle = await open(this.staged, "w", await this.#formerMode());
    });
  }

  async write(content: string | Uint8Array): Promise<void> {
    const handle = this.#handle;
    if (handle === undefined) throw new TypeError(`${this.path} is not open`);
    await this.#try(async () => handle.appendFile(content));
  }

  async clear(): Promise<void> {
    await this.abandon();
    await this.open();
  }

  omit(): void {
    this.#isOmitted = true;
  }

  /** Renames the file into place, or removes it if it was omitted. Call `restore` if this throws. */
  place(): void {
    this.#undo = prepareUndo(this.path, this.former);
    if (this.#isOmitted) rmSync(this.path, { force: true });
    else renameSync(this.staged, this.path);
  }

  /**
   * Undoes `place`. Returns the name of the former file if it could not be put back, and keeps it. The new content gets
   * its staged name back first: if the process is killed amid this, the next run still completes the commit.
   */
  restore(): string | undefined {
    if (!this.#isOmitted && !existsSync(this.staged)) keepUnder(this.staged, this.path);
    try {
      this.#undo?.();
      return undefined;
    } catch {
      this.#keepsFormer = existsSync(this.former);
      return this.#keepsFormer ? this.former : undefined;
    }
  }

  /** Flushes the file to disk and closes it. */
  async finish(): Promise<void> {
    await this.#try(async () => {
      const mode = await this.#formerMode();
      // By its name, because Node's permission model forbids it for an open file.
      if (mode !== undefined) await chmod(this.staged, mode);
      await this.#handle?.sync();
    });
    await this.abandon();
  }

  async abandon(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  remove(): void {
    removeQuietly(this.staged);
    if (!this.#keepsFormer) removeQuietly(this.former);
  }

  async #formerMode(): Promise<number | undefined> {
    return (await stat(this.path).catch(() => undefined))?.mode;
  }

  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      throw toWriteError(this.path, error);
    }
  }
}

/** If removal fails too, as in a folder without search permission, the file was never created. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The user needs to see the original error, not this one.
  }
}

/**
 * Renames the files into place. The journal exists from before the first rename until after the last; whoever finds it
 * without its process completes them. Synchronous, so that no signal is handled halfway.
 */
function commitFiles(files: readonly OpenFile[], locks: OutputLocks): void {
  const { home, tag } = locks;
  const folders = files.map(({ path }) => dirname(path));
  locks.requireHeld();
  syncFolders(folders);
  try {
    try {
      writeJournal(
        home,
        tag,
        files.map(({ path, isOmitted }) => ({ path, omit: isOmitted })),
      );
    } catch (error) {
      throw toWriteError(home, error);
    }
    moveIntoPlace(files);
    syncFolders(folders);
    for (const file of files) file.remove();
  } finally {
    removeJournal(home, tag);
  }
}

/** Renames all files, or none. */
function moveIntoPlace(files: readonly OpenFile[]): void {
  for (const [index, file] of files.entries()) {
    try {
      file.place();
    } catch (error) {
      const touched = files.slice(0, index + 1).reverse();
      const kept = touched.flatMap((each) => {
        const former = each.restore();
        return former === undefined ? [] : [`; the former ${each.path} is now ${former}`];
      });
      const failure = toWriteError(file.path, error);
      if (kept.length === 0) throw failure;
      const reason = failure instanceof Error ? failure.message : String(failure);
      throw new UserError(reason + kept.join(""));
    }
  }
}

function prepareUndo(path: string, former: string): () => void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return () => rmSync(path, { force: true });
  // Any other kind of file: the rename will fail without changing anything.
  if (!found.isFile()) return () => {};
  try {
    linkSync(path, former);
  } catch {
    // The file system has no hard links. For a moment the path does not exist, but nothing is lost.
    renameSync(path, former);
  }
  // A no-op if the new file did not come into place: both names are of one file then.
  return () => renameSync(former, path);
}

/** Gives a file a second name, or another one where the file system has no hard links. */
function keepUnder(name: string, path: string): void {
  try {
    try {
      linkSync(path, name);
    } catch {
      renameSync(path, name);
    }
  } catch {
    // Then a run that is killed right now cannot be completed.
  }
}

interface FileToWrite {
  /** Absolute path; its folder exists. */
  readonly path: string;
  /** The text, in pieces. */
  readonly chunks: Iterable<string>;
}

/**
 * Writes files atomically: see `stageFiles`. Throws UserError (exit 3) if a file cannot be written, and
 * rethrows the errors of `chunks`.
 */
export async function writeFiles(files: readonly FileToWrite[]): Promise<void> {
  await withStaging({}, async (staging) => {
    for (const { path, chunks } of files) {
      const file = await staging.open(path);
      for (const chunk of chunks) await file.write(chunk);
    }
    await staging.commit();
  });
}
