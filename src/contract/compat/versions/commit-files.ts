import { posix } from "node:path";
import type { FormatUse } from "#generated/index.js";
import { FETCH_ADVICE, git } from "../../../base/files/git.js";
import { escapeControls } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { FormatUses } from "../../schemas/format-use.js";
import { tooLarge } from "../schema/parse-schema.js";
import type { Commit } from "./commit.js";
import type { Blob, GitBlobs } from "./git-blobs.js";

/** A link in git is a file with the path that it leads to. */
const LINK = "120000";

/** The files of a commit. Paths are relative to a folder of the repository, as git prints them there. */
export class CommitFiles {
  readonly ref: string;
  /** Object ids by path. A link to another file of the commit has the object of that file. */
  readonly objects: ReadonlyMap<string, string>;
  readonly #blobs: GitBlobs;
  readonly #prefix: string;
  readonly #formats = new FormatUses((path) => this.read(toPath(path, this.#prefix)));

  /** Throws UserError (exit 3) if git fails. */
  constructor(cwd: string, { ref, commit }: Commit, blobs: GitBlobs) {
    this.ref = ref;
    this.#blobs = blobs;
    const prefix = findPrefix(cwd);
    this.#prefix = prefix;
    const listed = git(cwd, "ls-tree", "-r", "-z", "--full-tree", commit).toString("utf8");
    const objects = new Map<string, string>();
    const links = new Map<string, string>();
    for (const line of listed.split("\0")) {
      const [, mode, object, name] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (object === undefined || name === undefined) continue;
      const path = toPath(name, prefix);
      objects.set(path, object);
      if (mode === LINK && name.endsWith(".json")) links.set(path, object);
    }
    this.objects = objects;
    const targets = new Map(blobs.read(links.values()));
    for (const [path, object] of links) {
      const target = posix.join(posix.dirname(path), targets.get(object)?.text ?? "");
      objects.set(path, objects.get(target) ?? object);
    }
  }

  /** The path by which a file is listed; undefined if there is none. Takes `../here/a.json` in the folder `here`, too. */
  find(path: string): string | undefined {
    const listed = path.startsWith("../")
      ? toPath(posix.join(this.#prefix, path), this.#prefix)
      : path;
    return this.objects.has(listed) ? listed : undefined;
  }

  /** Reads files, each once, in no particular order. */
  *readMany(paths: Iterable<string>): Generator<readonly [path: string, Blob]> {
    const byObject = new Map<string, string[]>();
    for (const path of paths) {
      const object = this.objects.get(path);
      if (object === undefined) continue;
      const known = byObject.get(object);
      if (known === undefined) byObject.set(object, [path]);
      else known.push(path);
    }
    for (const [object, blob] of this.#blobs.read(byObject.keys())) {
      for (const path of byObject.get(object) ?? []) yield [path, blob];
    }
  }

  /**
   * The text of a file; undefined if there is none. Throws UserError (exit 3) if a partial clone lacks it, and if it is too
   * large for a schema.
   */
  read(path: string): string | undefined {
    const listed = this.find(path);
    const [found] = listed === undefined ? [] : this.readMany([listed]);
    if (found === undefined) return undefined;
    const [, { size, text }] = found;
    const name = `${this.ref}:${path}`;
    if (size === undefined) {
      throw new UserError(
        `${escapeControls(name)}: not fetched yet, not in this partial clone: ${FETCH_ADVICE}`,
      );
    }
    if (text === undefined) throw tooLarge(escapeControls(name), size);
    return text;
  }

  /** Whether `format` is asserted in the schema file at a path. */
  formatUseOf(path: string): FormatUse {
    return this.#formats.of(posix.join(this.#prefix, path));
  }
}

/** The path of the folder `cwd` in its repository, with a slash at its end. Throws UserError (exit 3) outside of one. */
export function findPrefix(cwd: string): string {
  return git(cwd, "rev-parse", "--show-prefix").toString("utf8").replace(/\n$/, "");
}

/** Converts a path from the top of a repository to one from the folder with that prefix. */
export function toPath(path: string, prefix: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  return posix.relative(`/${prefix}`, `/${path}`);
}
