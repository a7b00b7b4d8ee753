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
