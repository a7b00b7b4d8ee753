import { randomUUID } from "node:crypto";
import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserError } from "../user-error.js";
import { onEndingSignal } from "./on-ending-signal.js";

export interface FileToWrite {
  /** Absolute; its folder exists. */
  readonly path: string;
  /** The text, in pieces. */
  readonly chunks: Iterable<string>;
}

interface StagedFile extends FileToWrite {
  /** The new file until it is whole. */
  readonly staged: string;
  /** A second name of the former file while the new ones move into place. */
  readonly former: string;
}

/**
 * Writes files all or none: each is written beside its place and to the disk, then all move into
 * place. On an error, and on a signal that ends the process, the former files stay whole and no
 * other file remains.
 *
 * Throws UserError (exit 3) when a file cannot be written, and whatever `chunks` throw.
 */
export async function writeFiles(files: readonly FileToWrite[]): Promise<void> {
  const stagedFiles = files.map((file) => ({
    ...file,
    staged: besidePath(file.path),
    former: besidePath(file.path),
  }));
  const cleanUp = () => {
    for (const { staged, former } of stagedFiles) {
      removeQuietly(staged);
      removeQuietly(former);
    }
  };
  const release = onEndingSignal(cleanUp);
  try {
    for (const file of stagedFiles) await stage(file);
    moveIntoPlace(stagedFiles);
  } finally {
    cleanUp();
    release();
  }
}

/** Where even this fails, as in a folder that may not be searched, no file was made either. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What failed before is what the user has to hear.
  }
}

/** A name that nobody has, in the same folder: a rename within a file system cannot be half done. */
function besidePath(path: string): string {
  return join(dirname(path), `.rollout-wire-${randomUUID()}.tmp`);
}

async function stage({ path, chunks, staged }: StagedFile): Promise<void> {
  try {
    const mode = (await stat(path).catch(() => undefined))?.mode;
    const handle = await open(staged, "wx");
    try {
      if (mode !== undefined) await handle.chmod(mode);
      for (const chunk of chunks) await handle.appendFile(chunk);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toWriteError(path, error);
  }
}

/** Does not wait for anything in between, so that no signal is handled before it is done. */
function moveIntoPlace(files: readonly StagedFile[]): void {
  const undoSteps: (() => void)[] = [];
  for (const { path, staged, former } of files) {
    try {
      const undo = prepareUndo(path, former);
      renameSync(staged, path);
      undoSteps.push(undo);
    } catch (error) {
      for (const undo of undoSteps.reverse()) undo();
      throw toWriteError(path, error);
    }
  }
}

function prepareUndo(path: string, former: string): () => void {
  if (!existsSync(path)) return () => rmSync(path);
  try {
    linkSync(path, former);
  } catch {
    // A file system without hard links: the new file stays, which is whole as well.
    return () => {};
  }
  return () => renameSync(former, path);
}

function toWriteError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  return new UserError(`${path}: cannot be written: ${error.message}`);
}
