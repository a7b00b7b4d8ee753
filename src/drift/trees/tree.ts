import { type Dirent, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tryGit } from "../../files/git.js";
import { toReadError } from "../../files/source.js";
import { UserError } from "../../user-error.js";

/** A file of a tree. */
export interface TreeFile {
  /** From the tree's root, with forward slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** The files of a repository, as they lie on disk or as git has them at some commit. */
export interface Tree {
  /** As the user named it. */
  readonly name: string;
  /** The commit that it is, or that was checked out; undefined for a folder that git does not know. */
  readonly commit: string | undefined;
  /** A file of it as the user would name it. */
  nameOf(path: string): string;
  /**
   * Every file but what git and package managers put there, sorted by path; those below a folder alone when it is
   * named. Symbolic links are none.
   */
  files(folder?: string): readonly TreeFile[];
  /** Undefined for what is no file. */
  read(path: string): Buffer | undefined;
  /** Many files, one after the other, so that they need not be held together; undefined for what cannot be read. */
  readMany(paths: readonly string[]): Iterable<readonly [path: string, bytes: Buffer | undefined]>;
  /** Removes what was made to read it. */
  close(): void;
}

/** Folders that are no part of a repository's own text, at any depth. */
export const SKIPPED_FOLDERS: readonly string[] = [".git", "node_modules"];

/** The files of a folder as they lie on disk. */
export class WorkingTree implements Tree {
  readonly name: string;
  readonly commit: string | undefined;
  readonly #root: string;

  constructor(name: string, root: string) {
    this.name = name;
    this.#root = root;
    this.commit = tryGit(root, "rev-parse", "HEAD")?.toString("utf8").trim();
  }

  nameOf(path: string): string {
    return join(this.name, path);
  }

  files(folder = ""): TreeFile[] {
    const isThere = statSync(join(this.#root, folder), { throwIfNoEntry: false })?.isDirectory();
    const files = isThere ? [...this.#walk(folder)] : [];
    return files.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  read(path: string): Buffer | undefined {
    try {
      return readFileSync(join(this.#root, path));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return undefined;
      throw toReadError(this.nameOf(path), error);
    }
  }

  *readMany(paths: readonly string[]): Generator<readonly [string, Buffer | undefined]> {
    for (const path of paths) {
      let bytes: Buffer | undefined;
      try {
        bytes = this.read(path);
        if (bytes === undefined) continue;
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
      }
      yield [path, bytes];
    }
  }

  close(): void {}

  *#walk(folder: string): Generator<TreeFile> {
    for (const entry of this.#list(folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.includes(entry.name)) yield* this.#walk(path);
      } else if (entry.isFile()) yield { path, size: lstatSync(join(this.#root, path)).size };
    }
  }

  #list(folder: string): Dirent[] {
    try {
      return readdirSync(join(this.#root, folder), { withFileTypes: true });
    } catch (error) {
      throw toReadError(join(this.name, folder), error);
    }
  }
}
