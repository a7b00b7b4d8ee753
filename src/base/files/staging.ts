import { dirname } from "node:path";
import { noteCommit, onEndingSignal } from "./ending-signals.js";
import { makeFolders } from "./folders.js";
import { OutputLocks } from "./output-locks.js";
import { removeJournal, syncFolders, writeJournal } from "./recovery.js";
import { toWriteError } from "./source.js";
import { moveIntoPlace, OpenFile, type StagedFile } from "./staged-file.js";

export type { StagedFile };

export interface StagingOptions {
  /** Called with a line for people if the outputs of a killed run were completed. */
  readonly onRecovered?: ((line: string) => void) | undefined;
}

/**
 * Files that are replaced atomically: each is written and flushed under a temporary name, then all are renamed into
 * place. Until then the former files stay intact. If a signal ends the process, the temporary files are removed; after
 * SIGKILL, the next run that writes to their folder removes them.
 */
export class FileStaging {
  #files: OpenFile[] = [];
  readonly #folders: { removeEmpty(): void }[] = [];
  readonly #locks: OutputLocks;
  readonly #release = onEndingSignal(() => this.#removeAll());

  constructor({ onRecovered = () => {} }: StagingOptions = {}) {
    this.#locks = new OutputLocks(onRecovered);
  }

  /**
   * Creates folders (absolute paths) and their missing parents. Those that stay empty are removed at the end. Throws
   * UserError (exit 3) if one cannot be created.
   */
  makeFolders(paths: readonly string[]): void {
    this.#folders.push(makeFolders(paths));
  }

  /**
   * Locks files that may be written, given by absolute paths in existing folders, before any work is done. What killed
   * runs left in their folders is settled: outputs that were partly renamed are completed, other files are removed.
   *
   * Throws UserError: exit 2 if another run is writing one of them, exit 3 if a folder cannot be written to.
   */
  async reserve(paths: readonly string[]): Promise<void> {
    // In one order, so that of two runs with the same outputs one gets them all.
    for (const path of paths.toSorted()) await this.#locks.acquire(path);
  }

  /** Settles what killed runs left in a folder, which may be missing, as `reserve` does. */
  sweep(folder: string): void {
    this.#locks.sweep(folder);
  }

  /**
   * Starts a file at an absolute path whose folder exists, and locks it unless it is reserved. Throws UserError as
   * `reserve` does, and (exit 3) if the file cannot be written.
   */
  async open(path: string): Promise<StagedFile> {
    return await this.#open(path);
  }

  /** Writes a whole file. Throws as `open` does. */
  async write(path: string, chunks: Iterable<string | Uint8Array>): Promise<void> {
    const file = await this.#open(path);
    for (const chunk of chunks) await file.write(chunk);
    await file.finish();
  }

  /**
   * Gives a file of `open` another final path in the same folder, and locks that too. Throws UserError as `reserve` does,
   * and (exit 3) if the file cannot be renamed.
   */
  async rename(file: StagedFile, path: string): Promise<void> {
    const found = this.#files.find((each) => each === file);
    if (found === undefined) throw new TypeError(`${file.path} was not opened here`);
    await this.#locks.acquire(path);
    await found.moveTo(path);
  }

  /** Requests that no file exist at a path after the commit, unless one was started there. Throws as `open` does. */
  async remove(path: string): Promise<void> {
    if (this.#files.some((file) => file.path === path)) return;
    (await this.#open(path)).omit();
  }

  /** Removes the files that were started. They stay locked. */
  async discard(): Promise<void> {
    for (const file of this.#files) await file.abandon();
    for (const file of this.#files) file.remove();
    this.#files = [];
  }

  /**
   * Flushes all files to disk and renames them into place. If one fails, the former files are restored and a
   * UserError (exit 3) is thrown. If the process is killed meanwhile, the next run in one of the folders completes it.
   */
  async commit(): Promise<void> {
    for (const file of this.#files) await file.finish();
    if (this.#files.length > 0) commitFiles(this.#files, this.#locks);
    this.#files = [];
  }

  /** Removes all files that were not committed, and unlocks all. Always call it at the end. */
  async close(): Promise<void> {
    try {
      for (const file of this.#files) await file.abandon();
    } finally {
      this.#removeAll();
      this.#release();
    }
  }

  async #open(path: string): Promise<OpenFile> {
    await this.#locks.acquire(path);
    const file = new OpenFile(path, this.#locks.tag);
    this.#files.push(file);
    await file.open();
    return file;
  }

  #removeAll(): void {
    for (const file of this.#files) file.remove();
    this.#locks.release();
    for (const made of this.#folders.toReversed()) made.removeEmpty();
  }
}

/** Calls `use` with a staging that is closed at the end. */
export async function withStaging<Result>(
  options: StagingOptions,
  use: (staging: FileStaging) => Promise<Result>,
): Promise<Result> {
  const staging = new FileStaging(options);
  try {
    return await use(staging);
  } finally {
    await staging.close();
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
    noteCommit();
    syncFolders(folders);
    for (const file of files) file.remove();
  } finally {
    removeJournal(home, tag);
  }
}

interface FileToWrite {
  /** Absolute path; its folder exists. */
  readonly path: string;
  /** The text, in pieces. */
  readonly chunks: Iterable<string>;
}

/**
 * Writes files atomically: see `FileStaging`. Throws UserError (exit 3) if a file cannot be written, and
 * rethrows the errors of `chunks`.
 */
export async function writeFiles(files: readonly FileToWrite[]): Promise<void> {
  await withStaging({}, async (staging) => {
    for (const { path, chunks } of files) await staging.write(path, chunks);
    await staging.commit();
  });
}
