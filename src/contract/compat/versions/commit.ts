import { git, tryGit } from "../../../base/files/git.js";
import { escapeControls } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";

/** A commit, as the user named it and by its hash. */
export interface Commit {
  readonly ref: string;
  readonly commit: string;
}

interface NamedFile {
  readonly ref: string;
  readonly path: string;
}

/** A word that needs no quoting on a command line. */
const PLAIN = /^[\w./@-]+$/;

/** A reference followed by ancestor steps, such as `~2` or `^`. */
const ANCESTOR = /^(.+?)((?:~\d*|\^)+)$/;

/**
 * Returns the commit that a git reference names. Throws UserError (exit 3) if it is missing, with the command
 * that fetches it: CI usually makes a shallow clone with a single commit of a single branch.
 */
export function findCommit(cwd: string, named: NamedFile): string {
  const { ref } = named;
  // A leading hyphen would make it an option.
  if (ref.startsWith("-")) throw new UserError(`${escapeControls(ref)}: not a git reference`);
  const commit = resolveCommit(cwd, ref);
  if (commit !== undefined) return commit;
  // Fails with a clear message if the folder is not a repository.
  git(cwd, "rev-parse", "--git-dir");
  const hint = adviseOn(cwd, named);
  const advice = hint === undefined ? "" : ` (a shallow clone lacks it: ${hint})`;
  throw new UserError(`${escapeControls(ref)}: no such commit in this repository${advice}`);
}

function resolveCommit(cwd: string, ref: string): string | undefined {
  const found = tryGit(
    cwd,
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${ref}^{commit}`,
  );
  return found?.toString("utf8").trim();
}

/** The command that fetches a commit from the remote repository; undefined if it cannot be determined. */
function adviseOn(cwd: string, { ref, path }: NamedFile): string | undefined {
  const [, base, steps] = ANCESTOR.exec(ref) ?? [];
  const remotes = (tryGit(cwd, "remote")?.toString("utf8") ?? "").split("\n").filter(Boolean);
  const [first] = remotes;
  const remote = remotes.includes("origin") ? "origin" : first;
  if (remote === undefined) return undefined;
  if (base !== undefined && steps !== undefined) {
    if (resolveCommit(cwd, base) === undefined) return adviseOn(cwd, { ref: base, path });
    const isShallow = tryGit(cwd, "rev-parse", "--is-shallow-repository")?.toString("utf8").trim();
    return isShallow === "true" ? `git fetch --deepen ${countSteps(steps)}` : undefined;
  }
  if (!PLAIN.test(ref)) return undefined;
  if (/^[0-9a-f]{40}$/.test(ref)) return `git fetch --depth 1 ${remote} ${ref}`;
  if (/^v\d/.test(ref)) return `git fetch --depth 1 ${remote} tag ${ref}`;
  const named = remotes.find((each) => ref.startsWith(`${each}/`));
  const [from, branch] = named === undefined ? [remote, ref] : [named, ref.slice(named.length + 1)];
  const fetch = `git fetch --depth 1 ${from} ${branch}:refs/remotes/${from}/${branch}`;
  return named === undefined
    ? `${fetch}, then use ${from}/${branch}:${escapeControls(path)}`
    : fetch;
}

/** The number of commits that a suffix goes back: 3 for `~2^`. */
function countSteps(steps: string): number {
  const counts = [...steps.matchAll(/~(\d*)|\^/g)].map(([, digits]) => Number(digits || 1));
  return counts.reduce((sum, count) => sum + count, 0);
}
