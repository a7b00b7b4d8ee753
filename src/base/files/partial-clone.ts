import { git, gitWithInput, isFetchingPermitted, tryGit } from "./git.js";

/** The folder of a repository, and options before the command, such as `--git-dir=.`. */
type Repository = readonly [folder: string, ...options: string[]];

/** As git itself fetches what a partial clone lacks: nothing else, and without housekeeping. */
const FETCH: readonly string[] = [
  ...["-c", "fetch.negotiationAlgorithm=noop", "-c", "gc.auto=0", "-c", "maintenance.auto=false"],
  ...["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no"],
  ...["--filter=blob:none", "--stdin", "--end-of-options"],
];

/** Whether a repository is a partial clone, which may lack objects of its commits. */
export function isPartialClone(repository: Repository): boolean {
  return findRemote(repository) !== undefined;
}

/**
 * Those of `objects` (their ids) that a partial clone lacks. If the user permits it, they are fetched, all at once.
 * Throws UserError (exit 3) if git fails.
 */
export function findLacking(
  repository: Repository,
  objects: readonly string[],
): ReadonlySet<string> {
  const remote = objects.length === 0 ? undefined : findRemote(repository);
  if (remote === undefined) return new Set();
  const present = listPresent(repository);
  const lacking = new Set(objects.filter((object) => !present.has(object)));
  if (lacking.size === 0 || !isFetchingPermitted()) return lacking;
  const [folder, ...options] = repository;
  const input = [...lacking].map((object) => `${object}\n`).join("");
  gitWithInput(folder, input, ...options, ...FETCH, remote);
  return new Set();
}

/** The remote from which git would fetch what is lacking; undefined for a complete clone. */
function findRemote([folder, ...options]: Repository): string | undefined {
  const wanted = "^remote\\..*\\.promisor$";
  const listed = tryGit(folder, ...options, "config", "--bool", "-z", "--get-regexp", wanted);
  const settings = (listed?.toString("utf8") ?? "").split("\0");
  const [, name] =
    settings.map((each) => /^remote\.(.*)\.promisor\ntrue$/s.exec(each)).find(Boolean) ?? [];
  return name;
}

/** Asking for single objects would make old versions of git fetch those that are lacking. */
function listPresent([folder, ...options]: Repository): ReadonlySet<string> {
  const what = ["--batch-all-objects", "--batch-check=%(objectname)", "--unordered", "--buffer"];
  return new Set(
    git(folder, ...options, "cat-file", ...what)
      .toString("utf8")
      .split("\n"),
  );
}
