import { git, tryGit } from "../../../base/files/git.js";
import type { Commit } from "./commit.js";
import { type CommitFiles, findPrefix, toPath } from "./commit-files.js";

/** A file that differs between two commits. A renamed file is one file. */
export interface ChangedFile {
  /** Its path before; undefined if it was added. */
  readonly was: string | undefined;
  /** Its path after; undefined if it was removed. */
  readonly is: string | undefined;
}

/** The tree without files, which every repository has. */
const EMPTY_TREE: Readonly<Record<number, string>> = {
  40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** The files below some paths, as git understands paths, from the current folder. Throws UserError (exit 3) if git fails. */
export function listBelow(cwd: string, { commit }: Commit, paths: readonly string[]): string[] {
  const empty = EMPTY_TREE[commit.length] ?? "";
  const options = ["-r", "-z", "--name-only", empty, commit, "--", ...paths];
  const listed = git(cwd, "diff-tree", ...options).toString("utf8");
  const prefix = findPrefix(cwd);
  const names = listed.split("\0").filter((path) => path !== "");
  return names.map((path) => toPath(path, prefix));
}

/** The same that differ between two commits, in the order of git. */
export function listChanged(
  cwd: string,
  [from, to]: readonly [Commit, Commit],
  paths: readonly string[],
): ChangedFile[] {
  const prefix = findPrefix(cwd);
  const run = ["diff", "--name-status", "--no-relative", "-z"];
  const rest = [from.commit, to.commit, "--", ...paths];
  // Git compares texts to find renames, which a partial clone may lack.
  const listed =
    tryGit(cwd, ...run, "--find-renames", ...rest) ?? git(cwd, ...run, "--no-renames", ...rest);
  const fields = listed.toString("utf8").split("\0");
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const status = fields[at] ?? "";
    const isMoved = /^[RC]/.test(status);
    const path = toPath(fields[at + 1] ?? "", prefix);
    if (isMoved) files.push({ was: path, is: toPath(fields[at + 2] ?? "", prefix) });
    else if (status === "A") files.push({ was: undefined, is: path });
    else files.push({ was: path, is: status === "D" ? undefined : path });
    at += isMoved ? 3 : 2;
  }
  return files;
}

/** The paths whose files differ between two commits, or which only one of them has. */
export function differingPaths(older: CommitFiles, newer: CommitFiles): ReadonlySet<string> {
  const paths = [...older.objects.keys(), ...newer.objects.keys()];
  return new Set(paths.filter((path) => older.objects.get(path) !== newer.objects.get(path)));
}
