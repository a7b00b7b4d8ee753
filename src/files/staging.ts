import { randomUUID } from "node:crypto";
import { existsSync, linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserError } from "../user-error.js";
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
  /** Starts a file at an absolute path whose folder exists. Throws UserError (exit 3) if it cannot be written. */
  open(path: string): Promise<StagedFile>;
  /**
   * Flushes all files to disk and renames them into place. If one fails, the former files are restored and a
   * UserError (exit 3) is thrown.
   */
  commit(): Promise<void>;
  /** Removes all files that were not committed. Always call it at the end. */
  close(): Promise<void>;
}

/**
 * Stages files: each is written and flushed under a temporary name, then all are renamed into place. Until then
 * the former files stay intact. If a signal ends the process, the temporary files are removed.
 */
export function stageFiles(): FileStaging {
  const files: OpenFile[] = [];
  const removeAll = () => {
    for (const file of files) file.remove();
  };
  const release = onEndingSignal(removeAll);
  return {
    async open(path) {
      const file = new OpenFile(path);
      files.push(file);
      await file.open();
      return file;
    },
    async commit() {
      for (const file of files) await file.finish();
      moveIntoPlace(files);
      await syncFolders(files.map(({ path }) => dirname(path)));
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

  constructor(path: string) {
    this.path = path;
    this.staged = temporaryPath(path);
    this.former = temporaryPath(path);
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

  /** Undoes `place`. Returns the name of the former file if it could not be put back, and keeps it. */
  restore(): string | undefined {
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
      if (mode !== undefined) await this.#handle?.chmod(mode);
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

/** An unused name in the same folder: a rename within a file system is atomic. */
function temporaryPath(path: string): string {
  return join(dirname(path), `.rollout-wire-${randomUUID()}.tmp`);
}

/** Synchronous, so that no signal is handled halfway. */
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

/** Keeps a power cut from undoing the renames. Where a folder cannot be synced, this is skipped. */
async function syncFolders(folders: readonly string[]): Promise<void> {
  for (const folder of new Set(folders)) {
    const handle = await open(folder, "r").catch(() => undefined);
    await handle?.sync().catch(() => {});
    await handle?.close();
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
  const staging = stageFiles();
  try {
    for (const { path, chunks } of files) {
      const file = await staging.open(path);
      for (const chunk of chunks) await file.write(chunk);
    }
    await staging.commit();
  } finally {
    await staging.close();
  }
}
