import { execFileSync } from "node:child_process";
import { escapeControls } from "../text.js";
import { UserError } from "../user-error.js";

/** Milliseconds after which a remote repository counts as unreachable. */
const TIMEOUT = 120_000;

/** What git sets for a hook, and what would stand above the folder in which a command is run. */
const HOOK_VARIABLES = [
  "GIT_COMMON_DIR",
  "GIT_DIR",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_WORK_TREE",
];

/** Output of a git command that is run in `folder`. Throws UserError (exit 3) with what git says. */
export function git(folder: string, ...args: readonly string[]): Buffer {
  return run(folder, args, {});
}

/** The same with something on standard input. */
export function gitWithInput(folder: string, input: string, ...args: readonly string[]): Buffer {
  return run(folder, args, { input: Buffer.from(input) });
}

/** Undefined where git fails, as in a folder that is no repository. */
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
 * Never asks for a password, since nobody may be there to answer, and tells no other repository than that of the
 * folder: a git hook is run with variables that name its own.
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
