import { type Dirent, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { dirname } from "node:path/posix";
import { createExclusion } from "../../../base/files/exclusion.js";
import { tryGit } from "../../../base/files/git.js";
import { hasCode, toReadError } from "../../../base/files/source.js";
import { UserError } from "../../../base/user-error.js";

/** A file of a tree. */
export interface TreeFile {
  /** From the tree's root, with forward slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** The files of a repository, on disk or at a git commit. */
export interface Tree {
  /** As the user named it. */
  readonly name: string;
  /** Its commit, or the checked-out one; undefined outside of git. */
  readonly commit: string | undefined;
  /** Its folder on this machine; undefined for a remote repository. */
  readonly folder: string | undefined;
  /** The name of a file for messages. */
  nameOf(path: string): string;
  /** The file with that name. */
  pathOf(name: string): string;
  /**
   * The files, sorted by path, below `folder` if given. Excludes SKIPPED_FOLDERS and symbolic links.
   */
  files(folder?: string): readonly TreeFile[];
  /** Those directly in `folder`, without the folders below it. "" is the root. */
  filesIn(folder: string): readonly TreeFile[];
  /** Paths of files, and of whole folders, that git ignores. Empty outside of git, and for a commit. */
  ignored(): readonly string[];
  /** Whether anything has that path: a file, or what cannot be read as one. */
  has(path: string): boolean;
  /** Undefined if it is not a file. */
  read(path: string): Buffer | undefined;
  /** Reads many files one by one, to limit memory; `bytes` is undefined if a file cannot be read. */
  readMany(paths: readonly string[]): Iterable<readonly [path: string, bytes: Buffer | undefined]>;
  /** Removes temporary files. */
  close(): void;
}

/** Folders that are skipped at any depth: they are not a repository's own files. */
export const SKIPPED_FOLDERS: readonly string[] = [".git", "node_modules"];

/** Whether a file of `tree` is searched: git does not ignore it, and no glob of `exclude` matches it. */
export function createSearchFilter(
  tree: Tree,
  exclude: readonly string[],
): (path: string) => boolean {
  const ignored = new Set(tree.ignored());
  const isExcluded = createExclusion(exclude);
  const isIgnored = (path: string): boolean => {
    const above = dirname(path);
    // A commit may have absolute paths, whose folders end in "/".
    return ignored.has(path) || (above !== "." && above !== path && isIgnored(above));
  };
  return (path) => !isExcluded(path) && !isIgnored(path);
}

/** Replaces bytes of a file name that are not UTF-8. The file cannot be opened by that name. */
const UNDECODED = "\ufffd";

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EISDIR"].some((code) => hasCode(error, code));
}

/** The files of a folder on disk. */
export class WorkingTree implements Tree {
  readonly name: string;
  readonly commit: string | undefined;
  readonly folder: string;

  constructor(name: string, root: string) {
    this.name = name;
    this.folder = root;
    this.commit = tryGit(root, "rev-parse", "HEAD")?.toString("utf8").trim();
  }

  nameOf(path: string): string {
    return join(this.name, path);
  }

  pathOf(name: string): string {
    return relative(this.name, name).replaceAll(sep, "/");
  }

  files(folder = ""): TreeFile[] {
    return this.#sorted(folder, true);
  }

  filesIn(folder: string): TreeFile[] {
    return this.#sorted(folder, false);
  }

  ignored(): string[] {
    const options = ["--others", "--ignored", "--exclude-standard", "--directory", "-z"];
    const listed = tryGit(this.folder, "ls-files", ...options)?.toString("utf8") ?? "";
    return listed.split("\0").flatMap((path) => (path === "" ? [] : [path.replace(/\/$/, "")]));
  }

  has(path: string): boolean {
    try {
      return lstatSync(join(this.folder, path), { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      if (isMissing(error)) return false;
      throw toReadError(this.nameOf(path), error);
    }
  }

  read(path: string): Buffer | undefined {
    const file = join(this.folder, path);
    try {
      // A pipe would never end, nor would a device such as /dev/zero.
      return statSync(file).isFile() ? readFileSync(file) : undefined;
    } catch (error) {
      if (isMissing(error) && !path.includes(UNDECODED)) return undefined;
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

  #sorted(folder: string, isDeep: boolean): TreeFile[] {
    const files = [...this.#walk(folder, isDeep)];
    return files.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  *#walk(folder: string, isDeep: boolean): Generator<TreeFile> {
    for (const entry of this.#list(folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (isDeep && !SKIPPED_FOLDERS.includes(entry.name)) yield* this.#walk(path, isDeep);
      } else if (entry.isFile()) {
        const found = lstatSync(join(this.folder, path), { throwIfNoEntry: false });
        // Reading a file whose name is not UTF-8 fails, and is reported. Any other one was deleted meanwhile.
        if (found !== undefined || path.includes(UNDECODED)) yield { path, size: found?.size ?? 0 };
      }
    }
  }

  #list(folder: string): Dirent[] {
    try {
      return readdirSync(join(this.folder, folder), { withFileTypes: true });
    } catch (error) {
      if (isMissing(error) && folder !== "" && !folder.includes(UNDECODED)) return [];
      throw toReadError(join(this.name, folder), error);
    }
  }
}
