import { dirname } from "node:path/posix";
import { FETCH_ADVICE, git, gitWithInput, tryGit } from "../../../base/files/git.js";
import { findLacking, isPartialClone } from "../../../base/files/partial-clone.js";
import { escapeControls, formatCount } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { SKIPPED_FOLDERS, type Tree, type TreeFile } from "./tree.js";

/** Bytes of file content that are requested from git at once. */
const BATCH_BYTES = 2 ** 25;

/** What git may print at once, in bytes: see `git`. */
const MAX_BYTES = 2 ** 30;

interface Blob extends TreeFile {
  readonly object: string;
}

interface GitTreeOptions {
  /** As the user named it. */
  readonly name: string;
  /** The repository, bare or not. */
  readonly folder: string;
  /** A branch, a tag or a commit. */
  readonly ref: string;
  /** Called when the tree is closed. */
  readonly onClose?: () => void;
}

/** The files of a git commit, without a checkout. */
export class GitTree implements Tree {
  readonly name: string;
  readonly commit: string;
  readonly folder: string | undefined;
  /** The repository's folder, and `--git-dir` if it is a bare one. */
  readonly #repository: readonly [folder: string, ...options: string[]];
  readonly #onClose: (() => void) | undefined;
  #blobs: ReadonlyMap<string, Blob> | undefined;

  /** Throws UserError (exit 3) if the repository or commit does not exist. */
  constructor({ name, folder, ref, onClose }: GitTreeOptions) {
    this.name = name;
    this.folder = onClose === undefined ? folder : undefined;
    const isGitDir = tryGit(folder, "--git-dir=.", "rev-parse", "--git-dir") !== undefined;
    this.#repository = isGitDir ? [folder, "--git-dir=."] : [folder];
    this.#onClose = onClose;
    const commit = git(
      ...this.#repository,
      "rev-parse",
      "--verify",
      "--end-of-options",
      `${ref}^{commit}`,
    );
    this.commit = commit.toString("utf8").trim();
  }

  nameOf(path: string): string {
    return `${this.name}:${path}`;
  }

  pathOf(name: string): string {
    return name.slice(this.name.length + 1);
  }

  files(folder = ""): TreeFile[] {
    const files = [...this.#list().values()];
    return folder === "" ? files : files.filter(({ path }) => path.startsWith(`${folder}/`));
  }

  filesIn(folder: string): TreeFile[] {
    const place = folder === "" ? "." : folder;
    return this.files().filter(({ path }) => dirname(path) === place);
  }

  ignored(): string[] {
    return [];
  }

  has(path: string): boolean {
    const list = ["ls-tree", "--name-only", "--full-tree", this.commit, "--", path];
    return git(...this.#repository, "--literal-pathspecs", ...list).length > 0;
  }

  read(path: string): Buffer | undefined {
    const blob = this.#list().get(path);
    if (blob !== undefined && blob.size > MAX_BYTES) {
      const place = escapeControls(this.nameOf(path));
      throw new UserError(`${place}: is too large to be read at once: more than 1 GiB`);
    }
    return blob && git(...this.#repository, "cat-file", "blob", blob.object);
  }

  *readMany(paths: readonly string[]): Generator<readonly [string, Buffer]> {
    let batch: Blob[] = [];
    let bytes = 0;
    for (const path of paths) {
      const blob = this.#list().get(path);
      if (blob === undefined) continue;
      if (bytes + blob.size > BATCH_BYTES && batch.length > 0) {
        yield* this.#readBatch(batch);
        [batch, bytes] = [[], 0];
      }
      batch.push(blob);
      bytes += blob.size;
    }
    yield* this.#readBatch(batch);
  }

  close(): void {
    this.#onClose?.();
  }

  /** `git cat-file --batch` prints for each object a line with its size, its bytes and a newline. */
  *#readBatch(batch: readonly Blob[]): Generator<readonly [string, Buffer]> {
    if (batch.length === 0) return;
    const input = batch.map(({ object }) => `${object}\n`).join("");
    const [folder, ...options] = this.#repository;
    const output = gitWithInput(folder, input, ...options, "cat-file", "--batch");
    let at = 0;
    for (const { path, size } of batch) {
      const start = output.indexOf("\n", at) + 1;
      yield [path, output.subarray(start, start + size)];
      at = start + size + 1;
    }
  }

  #list(): ReadonlyMap<string, Blob> {
    if (this.#blobs === undefined) {
      if (isPartialClone(this.#repository)) this.#requireFetched(this.#parse());
      this.#blobs = new Map(this.#parse("--long").map((blob) => [blob.path, blob]));
    }
    return this.#blobs;
  }

  /** Every file may be a fork or hold records, so one that is not there leaves a gap. */
  #requireFetched(blobs: readonly Blob[]): void {
    const lacking = findLacking(
      this.#repository,
      blobs.map(({ object }) => object),
    );
    const [first, ...more] = blobs.filter(({ object }) => lacking.has(object));
    if (first === undefined) return;
    const others = more.length === 0 ? "" : ` and ${formatCount(more.length, "other file")}`;
    const place = `${escapeControls(this.nameOf(first.path))} at ${this.commit.slice(0, 12)}`;
    throw new UserError(
      `not fetched yet: ${place}${others}, not in this partial clone: ${FETCH_ADVICE}`,
    );
  }

  /** The files, with size 0 unless it is asked for with `--long`. */
  #parse(...options: readonly string[]): Blob[] {
    const list = ["ls-tree", "-r", "-z", ...options, "--full-tree", this.commit];
    const blobs = git(...this.#repository, ...list)
      .toString("utf8")
      .split("\0")
      .flatMap((line): Blob[] => {
        const [, mode, object = "", size = 0, path = ""] =
          /^(\d+) blob ([0-9a-f]+)(?: +(\d+))?\t(.*)$/s.exec(line) ?? [];
        const isFile = mode?.startsWith("100") ?? false;
        const isSkipped = path.split("/").some((name) => SKIPPED_FOLDERS.includes(name));
        return isFile && !isSkipped ? [{ path, object, size: Number(size) }] : [];
      });
    return blobs.sort((one, other) => (one.path < other.path ? -1 : 1));
  }
}
