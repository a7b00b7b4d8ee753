import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { tryGit } from "../../../src/files/git.js";
import { isJsonObject } from "../../../src/json/value.js";

/** Where a package says from which commit it was packed: written by `npm run build`, and never committed. */
export const PACKED_SOURCE = "dist/source.json";

/**
 * The commit of the checkout at `root` in which `files`, paths from there, are what they are on disk; of an installed
 * package the one from which it was packed, whatever repository it is installed in. Null where there is none, as for
 * files that are not committed.
 */
export function findSourceCommit(root: string, files: readonly string[]): string | null {
  const top = tryGit(root, "rev-parse", "--show-toplevel")?.toString("utf8").trim();
  if (top === undefined || realpathSync(top) !== realpathSync(root)) return readPackedCommit(root);
  const changed = tryGit(
    root,
    "--literal-pathspecs",
    ...["status", "--porcelain", "--ignored", "--untracked-files=all", "--"],
    ...files,
  );
  if (changed === undefined || changed.length > 0) return null;
  return tryGit(root, "rev-parse", "--verify", "HEAD")?.toString("utf8").trim() ?? null;
}

function readPackedCommit(root: string): string | null {
  const file = join(root, PACKED_SOURCE);
  if (!existsSync(file)) return null;
  const source: unknown = JSON.parse(readFileSync(file, "utf8"));
  return isJsonObject(source) && typeof source.commit === "string" ? source.commit : null;
}
