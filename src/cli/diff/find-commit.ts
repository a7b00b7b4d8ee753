import { git, tryGit } from "../../files/git.js";
import { escapeControls } from "../../text.js";
import { UserError } from "../../user-error.js";

/** What a command line takes as it stands. */
const PLAIN = /^[\w./@-]+$/;

/** A reference, and the way back from there, such as `~2` or `^`. */
const ANCESTOR = /^(.+?)((?:~\d*|\^)+)$/;

/**
 * The commit that a git reference names. Throws UserError (exit 3) when there is none here, with the command that
 * gets it: shallow clones, the rule in CI, have one commit of one branch.
 */
export function findCommit(cwd: string, named: NamedFile): string {
  const { ref } = named;
  // What begins with a hyphen would be an option.
  if (ref.startsWith("-")) throw new UserError(`${escapeControls(ref)}: no git reference`);
  const commit = resolve(cwd, ref);
  if (commit !== undefined) return commit;
  // Says what is wrong with a folder that is no repository.
  git(cwd, "rev-parse", "--git-dir");
  const hint = adviseOn(cwd, named);
  const advice = hint === undefined ? "" : ` (a shallow clone lacks it: ${hint})`;
  throw new UserError(`${escapeControls(ref)}: no commit of that name is here${advice}`);
}

export interface NamedFile {
  readonly ref: string;
  readonly path: string;
}

function resolve(cwd: string, ref: string): string | undefined {
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

/** The command that gets a commit from the remote repository; undefined where none is known. */
function adviseOn(cwd: string, { ref, path }: NamedFile): string | undefined {
  const [, base, steps] = ANCESTOR.exec(ref) ?? [];
  const remotes = (tryGit(cwd, "remote")?.toString("utf8") ?? "").split("\n").filter(Boolean);
  const [first] = remotes;
  const remote = remotes.includes("origin") ? "origin" : first;
  if (remote === undefined) return undefined;
  if (base !== undefined && steps !== undefined) {
    if (resolve(cwd, base) === undefined) return adviseOn(cwd, { ref: base, path });
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

/** How many commits back `~2^` is: 3. */
function countSteps(steps: string): number {
  const counts = [...steps.matchAll(/~(\d*)|\^/g)].map(([, digits]) => Number(digits || 1));
  return counts.reduce((sum, count) => sum + count, 0);
}
