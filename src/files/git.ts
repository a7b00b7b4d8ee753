import { execFileSync } from "node:child_process";
import { escapeControls } from "../text.js";
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

/** Runs a git command in `folder` and returns its output. Throws UserError (exit 3) with git's message. */
export function git(folder: string, ...args: readonly string[]): Buffer {
  return run(folder, args, {});
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

function run(
  folder: string,
  args: readonly string[],
  options: { readonly input?: Buffer },
): Buffer {
  try {
    return execFileSync("git", args, {
      ...options,
      encoding: null,
      cwd: folder,
      maxBuffer: 2 ** 30,
      timeout: TIMEOUT,
      stdio: ["pipe", "pipe", "pipe"],
      env: createEnvironment(),
    });
  } catch (error) {
    throw new UserError(
      `git ${escapeControls(args.join(" "))}: ${escapeControls(reasonOf(error))}`,
    );
  }
}

/**
 * Git must not ask for a password, since nobody may be there to answer. Hook variables are removed because they
 * name the hook's repository instead of the one in `folder`.
 */
function createEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !HOOK_VARIABLES.includes(name));
  return { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

function reasonOf(error: unknown): string {
  const { stderr, code } = error as { readonly stderr?: unknown; readonly code?: unknown };
  if (code === "ENOENT") return "git is not installed";
  if (code === "ETIMEDOUT") return `no answer within ${TIMEOUT / 1000} seconds`;
  const lines = Buffer.isBuffer(stderr) ? stderr.toString("utf8").trim().split("\n") : [];
  return lines.find((line) => line.startsWith("fatal: ")) ?? lines.at(-1) ?? String(error);
}
