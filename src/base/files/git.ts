import { AsyncLocalStorage } from "node:async_hooks";
import { execFileSync } from "node:child_process";
import { escapeControls, hideCredentials } from "../text.js";
import { UserError } from "../user-error.js";

/** Milliseconds after which a remote repository counts as unreachable. */
const TIMEOUT = 120_000;

/** Variables that git sets for a hook. They would override the folder in which a command is run. */
const HOOK_VARIABLES = [
  "GIT_COMMON_DIR",
  "GIT_DIR",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_WORK_TREE",
];

/**
 * Settings that win over those of the repository, whose authors may not be trusted: git runs no program that its
 * configuration names, and takes no folder for a bare repository unless `--git-dir` says so.
 */
const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "protocol.ext.allow=never",
  "safe.bareRepository=explicit",
].flatMap((setting) => ["-c", setting]);

/** Whether the user permits git to fetch what partial clones lack. It holds for everything that a command reads. */
const consent = new AsyncLocalStorage<boolean>();

/**
 * Runs a command. If `isPermitted`, git fetches what a partial clone lacks, as a plain `git fetch` would: with the
 * remote, and by the programs, that the repository configures for that.
 */
export function withFetching<T>(isPermitted: boolean, action: () => T): T {
  return consent.run(isPermitted, action);
}

/** Whether the user permits git to fetch what partial clones lack. */
export function isFetchingPermitted(): boolean {
  return consent.getStore() ?? false;
}

/** What a user does about objects that a partial clone lacks. */
export const FETCH_ADVICE = "run git fetch --refetch --no-filter there, or add --fetch";

/**
 * Runs a git command in `folder` and returns its output. It contacts no other repository: a partial clone must have
 * the objects, unless the user permits it to fetch them. Throws UserError (exit 3) with git's message.
 */
export function git(folder: string, ...args: readonly string[]): Buffer {
  return run(folder, args, {});
}

/** Fetches the newest commit of `ref` into the bare repository `folder`. Throws UserError (exit 3) as `git` does. */
export function gitFetch(folder: string, url: string, ref: string): void {
  const options = ["--quiet", "--depth", "1", "--end-of-options"];
  run(folder, ["--git-dir=.", "fetch", ...options, url, ref], { isRemote: true });
}

/** Like `git`, with `input` on standard input. */
export function gitWithInput(folder: string, input: string, ...args: readonly string[]): Buffer {
  return run(folder, args, { input: Buffer.from(input) });
}

/** Like `git`, but returns undefined if git fails, for example outside a repository. */
export function tryGit(folder: string, ...args: readonly string[]): Buffer | undefined {
  try {
    return git(folder, ...args);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

interface RunOptions {
  readonly input?: Buffer;
  /** Whether git may contact another repository. Default: whether the user permits it. */
  readonly isRemote?: boolean;
}

function run(
  folder: string,
  args: readonly string[],
  { input, isRemote = isFetchingPermitted() }: RunOptions,
): Buffer {
  try {
    return execFileSync("git", [...SETTINGS, ...args], {
      ...(input !== undefined && { input }),
      encoding: null,
      cwd: folder,
      maxBuffer: 2 ** 30,
      timeout: TIMEOUT,
      stdio: ["pipe", "pipe", "pipe"],
      env: createEnvironment(isRemote),
    });
  } catch (error) {
    const message = `git ${args.join(" ")}: ${reasonOf(error, isRemote)}`;
    throw new UserError(escapeControls(hideCredentials(message)));
  }
}

/** What git says, depending on its version, if it may not fetch an object. */
const LACKING =
  /^fatal: (transport '.*' not allowed|could not fetch .* from promisor remote)|lazy fetching disabled/m;

/**
 * Git must not ask for a password, since nobody may be there to answer. Hook variables are removed because they
 * name the hook's repository instead of the one in `folder`. A partial clone would fetch missing objects, by any
 * program that its configuration names: old versions of git know only GIT_ALLOW_PROTOCOL.
 */
function createEnvironment(isRemote: boolean): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !HOOK_VARIABLES.includes(name));
  const local = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
  return {
    ...Object.fromEntries(own),
    ...(isRemote ? {} : local),
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

function reasonOf(error: unknown, isRemote: boolean): string {
  const { stderr, code } = error as { readonly stderr?: unknown; readonly code?: unknown };
  if (code === "ENOENT") return "git is not installed";
  if (code === "ETIMEDOUT") return `no answer within ${TIMEOUT / 1000} seconds`;
  const said = Buffer.isBuffer(stderr) ? stderr.toString("utf8").trim() : "";
  if (!isRemote && LACKING.test(said)) {
    return `not fetched yet: this partial clone lacks what it reads: ${FETCH_ADVICE}`;
  }
  const lines = said === "" ? [] : said.split("\n");
  return lines.find((line) => line.startsWith("fatal: ")) ?? lines.at(-1) ?? String(error);
}
