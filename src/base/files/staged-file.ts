import {
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { chmod, type FileHandle, open, stat } from "node:fs/promises";
import { UserError } from "../user-error.js";
import { toFormerPath, toStagedPath } from "./run-files.js";
import { toWriteError } from "./source.js";

/** A file that is written under a temporary name in its target folder. */
export interface StagedFile {
  /** Final absolute path. */
  readonly path: string;
  /** Appends; text is encoded as UTF-8. Throws UserError (exit 3) if the file cannot be written. */
  write(content: string | Uint8Array): Promise<void>;
  /** Removes what was written so far. Throws as `write` does. */
  clear(): Promise<void>;
  /** Flushes it to disk and closes it, so that many files can be staged. Nothing more can be written. Throws as `write` does. */
  finish(): Promise<void>;
  /** Requests that no such file exist after the commit. An existing one is removed then. */
  omit(): void;
}

/** The same for the staging that commits it. */
export class OpenFile implements StagedFile {
  readonly #tag: string;
  #path: string;
  #handle: FileHandle | undefined;
  #isOmitted = false;
  #undo: (() => void) | undefined;
  #keepsFormer = false;

  constructor(path: string, tag: string) {
    this.#path = path;
    this.#tag = tag;
  }

  get path(): string {
    return this.#path;
  }

  /** The new file until it is committed. */
  get staged(): string {
    return toStagedPath(this.#path, this.#tag);
  }

  /** A second name of the former file while the new files are renamed into place. */
  get former(): string {
    return toFormerPath(this.#path, this.#tag);
  }

  /** Whether the commit removes the file. */
  get isOmitted(): boolean {
    return this.#isOmitted;
  }

  /**
   * Only those who may read the former file may read the new one while it is written. A link that somebody else put
   * there is not followed. Created synchronously: one that a thread creates could appear after a signal removed all files.
   */
  async open(): Promise<void> {
    await this.#try(async () => {
      const mode = await this.#formerMode();
      closeSync(openSync(this.staged, "wx", mode === undefined ? undefined : mode | OWNER_WRITES));
      this.#handle = await open(this.staged, TO_WRITE);
    });
  }

  async write(content: string | Uint8Array): Promise<void> {
    const handle = this.#handle;
    if (handle === undefined) throw new TypeError(`${this.path} is not open`);
    await this.#try(async () => handle.appendFile(content));
  }

  async clear(): Promise<void> {
    await this.abandon();
    await this.#try(async () => rmSync(this.staged, { force: true }));
    await this.open();
  }

  omit(): void {
    this.#isOmitted = true;
  }

  /** Gives the file another final path in the same folder. */
  async moveTo(path: string): Promise<void> {
    const { staged } = this;
    await this.#try(async () => renameSync(staged, toStagedPath(path, this.#tag)));
    this.#path = path;
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
    try {
      if (!this.#isOmitted && !existsSync(this.staged)) giveName(this.path, this.staged);
    } catch {
      // Then a run that is killed right now cannot be completed.
    }
    try {
      this.#undo?.();
      return undefined;
    } catch {
      this.#keepsFormer = existsSync(this.former);
      return this.#keepsFormer ? this.former : undefined;
    }
  }

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

/** A former file that nobody may write is replaced too. */
const OWNER_WRITES = 0o200;
/** Creates nothing, and follows no link. */
const TO_WRITE = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** If removal fails too, as in a folder without search permission, the file was never created. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The user needs to see the original error, not this one.
  }
}

/**
 * Renames all files, or none. Throws UserError (exit 3), which names the former files that could not be put back.
 */
export function moveIntoPlace(files: readonly OpenFile[]): void {
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
  giveName(path, former);
  // A no-op if the new file did not come into place: both names are of one file then.
  return () => renameSync(former, path);
}

/**
 * Gives a file a second name. Where the file system has no hard links, it gets another one: for a moment the path does not
 * exist, but nothing is lost.
 */
function giveName(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch {
    renameSync(path, name);
  }
}
