import { realpathSync } from "node:fs";
import { tryGit } from "../../files/git.js";

/**
 * The commit of the checkout at `root` in which `files`, paths from there, are what they are on disk. Null where
 * there is none: for an installed package, whatever repository it is installed in, and for files that are not
 * committed.
 */
export function findSourceCommit(root: string, files: readonly string[]): string | null {
  const top = tryGit(root, "rev-parse", "--show-toplevel")?.toString("utf8").trim();
  if (top === undefined || realpathSync(top) !== realpathSync(root)) return null;
  const changed = tryGit(
    root,
    "--literal-pathspecs",
    ...["status", "--porcelain", "--ignored", "--untracked-files=all", "--"],
    ...files,
  );
  if (changed === undefined || changed.length > 0) return null;
  return tryGit(root, "rev-parse", "--verify", "HEAD")?.toString("utf8").trim() ?? null;
}
