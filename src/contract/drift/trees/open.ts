import { lstatSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { git, gitFetch, tryGit } from "../../../base/files/git.js";
import { toReadError } from "../../../base/files/source.js";
import { createTempFolder } from "../../../base/files/temp.js";
import { escapeControls, hideCredentials } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { GitTree } from "./git-tree.js";
import { type Tree, WorkingTree } from "./tree.js";

/**
 * Opens a folder; `<folder>#<ref>`, a local repository at a branch, tag or commit; or `<url>` or `<url>#<ref>`, a remote
 * repository. Throws UserError (exit 3) if it cannot be reached.
 */
export function openTree(named: string, cwd: string): Tree {
  const name = hideCredentials(named);
  const folder = resolve(cwd, named);
  if (isFolder(folder)) {
    return isBare(folder)
      ? new GitTree({ name, folder, ref: "HEAD" })
      : new WorkingTree(name, folder);
  }
  const hash = named.lastIndexOf("#");
  const [place, ref] =
    hash < 0 ? [named, undefined] : [named.slice(0, hash), named.slice(hash + 1)];
  const local = resolve(cwd, place);
  if (ref !== undefined && isFolder(local)) return new GitTree({ name, folder: local, ref });
  if (isRemote(place)) return fetchTree(name, place, ref);
  const other = look(folder, name);
  if (other !== undefined) throw new UserError(`${escapeControls(name)}: ${other}`);
  throw new UserError(
    `${escapeControls(name)}: no such folder; nor is it <folder>#<git ref>, <git url> or <git url>#<git ref>`,
  );
}

/** `https://...`, `ssh://...`, `file://...` and `user@host:path`. */
function isRemote(place: string): boolean {
  return /^[a-z+]+:\/\/./.test(place) || /^[\w.-]+@[\w.-]+:./.test(place);
}

function fetchTree(name: string, url: string, ref = "HEAD"): Tree {
  const { path: folder, remove: onClose } = createTempFolder();
  try {
    git(folder, "init", "--quiet", "--bare");
    gitFetch(folder, url, ref);
    return new GitTree({ name, folder, ref: "FETCH_HEAD", onClose });
  } catch (error) {
    onClose();
    throw error;
  }
}

/** Whether a folder is a bare repository, which has commits but no files. */
function isBare(folder: string): boolean {
  const answer = tryGit(folder, "--git-dir=.", "rev-parse", "--is-bare-repository");
  return answer?.toString("utf8") === "true\n";
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // A URL may be longer than any path.
    return false;
  }
}

/** What is there instead of a folder; undefined if nothing is. Throws UserError (exit 3) if the system does not say. */
function look(path: string, name: string): string | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (!found.isSymbolicLink()) return "is a file, not a folder";
    return statSync(path, { throwIfNoEntry: false }) === undefined
      ? "is a symbolic link that leads nowhere"
      : "is a symbolic link to a file, not to a folder";
  } catch (error) {
    throw toReadError(escapeControls(name), error);
  }
}
