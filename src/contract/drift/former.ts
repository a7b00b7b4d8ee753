import type { KnownDifference } from "#generated/index.js";
import { tryGit } from "../../base/files/git.js";
import { UserError } from "../../base/user-error.js";
import { compareVersions } from "../compat/compare-versions.js";
import { loadVersion } from "../compat/load-version.js";
import type { Canonical } from "./canonical.js";
import { describeChanges, surroundingsOf } from "./copy.js";
import { hasText } from "./hash-grade.js";
import type { Tree } from "./trees/tree.js";

/** Commits of a file that are searched for its accepted version. */
const MAX_COMMITS = 50;

/**
 * What changed in a schema since the baseline accepted it: its accepted version is found in git by its hash. Undefined if
 * it is not there, or the file is no schema.
 */
export function describeNews(
  { file, hash }: KnownDifference,
  tree: Tree,
  canonical: Canonical,
): string | undefined {
  const former = hash === undefined ? undefined : findFormer(tree, file, hash);
  const now = tree.read(file);
  if (former === undefined || now === undefined || !file.endsWith(".json")) return undefined;
  const surroundings = surroundingsOf(file, tree, canonical);
  const load = (name: string, bytes: Buffer) =>
    loadVersion({ name, text: bytes.toString("utf8"), ...surroundings });
  try {
    const versions = { old: load("the accepted file", former), new: load("the file", now) };
    const comparison = compareVersions(versions.old.root, versions.new.root);
    const { detail } = describeChanges("the accepted file", comparison, versions);
    return detail === ""
      ? "new since the baseline: nothing that matters for records"
      : `new since the baseline:\n${detail}`;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The version of a file with that hash, in the history of its repository. */
function findFormer({ folder }: Tree, file: string, hash: string): Buffer | undefined {
  if (folder === undefined) return undefined;
  const log = tryGit(folder, "log", `--max-count=${MAX_COMMITS}`, "--format=%H", "--", file);
  for (const commit of (log ?? "").toString("utf8").split("\n").filter(Boolean)) {
    const bytes = tryGit(folder, "cat-file", "blob", `${commit}:./${file}`);
    if (bytes !== undefined && hasText(bytes, hash)) return bytes;
  }
  return undefined;
}
