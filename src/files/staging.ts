import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { toWriteError } from "./source.js";
import { onEndingSignal } from "./temp.js";

/** A file that is written beside its place. */
export interface StagedFile {
  /** Where it is going to be; absolute. */
  readonly path: string;
  /** Appends; text as UTF-8. Throws UserError (exit 3) when the file cannot be written. */
  write(content: string | Uint8Array): Promise<void>;
  /** Drops what was written. Throws as `write` does. */
  clear(): Promise<void>;
  /** Decides that there is to be no such file: a former one goes when the others come. */
  omit(): void;
}

/** Files that come into place all or none. */
export interface FileStaging {
  /**
   * Begins a file at an absolute path whose folder exists. Throws UserError (exit 3) when it cannot be
   * written.
   */
  open(path: string): Promise<StagedFile>;
  /**
   * Brings all files to the disk and into their places. Throws UserError (exit 3) when one of them
   * cannot be; then the former files are back.
   */
  commit(): Promise<void>;
  /** Removes what did not come into place; to be called in any case. */
  close(): Promise<void>;
}

/**
 * Begins to stage files: each is written beside its place and to the disk, then all move into place.
 * Until then the former files stay whole, and on a signal that ends the process no other file remains.
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
  /** The new file until it is whole. */
  readonly staged: string;
  /** A second name of the former file while the new ones move into place. */
  readonly former: string;
  #handle: FileHandle | undefined;
  #isOmitted = false;

  constructor(path: string) {
    this.path = path;
    this.staged = besidePath(path);
    this.former = besidePath(path);
  }

  async open(): Promise<void> {
    await this.#try(async () => {
      this.#handle = await open(this.staged, "w");
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

  /** Takes its place, or leaves it empty; gives what undoes that. */
  place(): () => void {
    const undo = prepareUndo(this.path, this.former);
    if (this.#isOmitted) rmSync(this.path, { force: true });
    else renameSync(this.staged, this.path);
    return undo;
  }

  /** Brings the file to the disk and closes it. */
  async finish(): Promise<void> {
    await this.#try(async () => {
      const mode = (await stat(this.path).catch(() => undefined))?.mode;
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
    removeQuietly(this.former);
  }

  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      throw toWriteError(this.path, error);
    }
  }
}

/** Where even this fails, as in a folder that may not be searched, no file was made either. */
function removeQuietly(path: string): void {
  tryQuietly(() => rmSync(path, { force: true }));
}

function tryQuietly(action: () => void): void {
  try {
    action();
  } catch {
    // What failed before is what the user has to hear.
  }
}

/** An unused name in the same folder: a rename within a file system is atomic. */
function besidePath(path: string): string {
  return join(dirname(path), `.rollout-wire-${randomUUID()}.tmp`);
}

/** Does not wait for anything in between, so that no signal is handled before it is done. */
function moveIntoPlace(files: readonly OpenFile[]): void {
  const undoSteps: (() => void)[] = [];
  for (const file of files) {
    try {
      undoSteps.push(file.place());
    } catch (error) {
      for (const undo of undoSteps.reverse()) tryQuietly(undo);
      throw toWriteError(file.path, error);
    }
  }
}

function prepareUndo(path: string, former: string): () => void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return () => rmSync(path, { force: true });
  // Whatever else it is: the renaming is going to fail, and then nothing has changed.
  if (!found.isFile()) return () => {};
  try {
    linkSync(path, former);
  } catch {
    // A file system without hard links: for a moment there is no file, and none is lost.
    renameSync(path, former);
  }
  return () => renameSync(former, path);
}

/** So that a power cut does not undo the renames; where a folder cannot be synced, nothing is lost. */
async function syncFolders(folders: readonly string[]): Promise<void> {
  for (const folder of new Set(folders)) {
    const handle = await open(folder, "r").catch(() => undefined);
    await handle?.sync().catch(() => {});
    await handle?.close();
  }
}

interface FileToWrite {
  /** Absolute; its folder exists. */
  readonly path: string;
  /** The text, in pieces. */
  readonly chunks: Iterable<string>;
}

/**
 * Writes files all or none: see `stageFiles`. Throws UserError (exit 3) when a file cannot be written,
 * and whatever `chunks` throw.
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
