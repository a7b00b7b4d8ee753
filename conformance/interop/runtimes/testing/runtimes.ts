import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a program said, and how it ended. */
export interface Transcript {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A runtime of JavaScript, which finds the packages of the current folder and fetches none. */
export interface Runtime {
  readonly name: "Node" | "Bun" | "Deno";
  /** The command line of a script. */
  readonly script: readonly string[];
  /** The command line of the installed program, without its arguments. */
  readonly program: readonly string[];
}

const PACKAGES = fileURLToPath(new URL("../node_modules/", import.meta.url));

/** Only to stop a hang; no test depends on timing. */
const TIMEOUT = 300_000;

const bun = findBinary("bun", "bin/bun");

/** The command line of Deno with some permissions. */
export const deno = (...permissions: readonly string[]): string[] => [
  findBinary("deno", "deno"),
  "run",
  "--no-prompt",
  "--cached-only",
  ...permissions,
];

/** Node first: the others are compared with it. */
export const RUNTIMES: readonly [Runtime, ...Runtime[]] = [
  {
    name: "Node",
    script: [process.execPath],
    program: [process.execPath, "node_modules/.bin/rollout-wire"],
  },
  {
    name: "Bun",
    script: [bun, "--no-install"],
    program: [bun, "x", "--no-install", "--bun", "rollout-wire"],
  },
  { name: "Deno", script: deno("--allow-all"), program: deno("--allow-all", "npm:rollout-wire") },
];

/** Variables of a command that keeps its caches in `folder`, and asks nobody for a newer version. */
export function environmentOf(folder: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
    DO_NOT_TRACK: "1",
  };
}

/** Runs a command in `folder`. */
export function runCommand(
  [command = "", ...args]: readonly string[],
  folder: string,
  input = "",
): Transcript {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    input,
    encoding: "utf8",
    maxBuffer: Infinity,
    timeout: TIMEOUT,
    killSignal: "SIGKILL",
    env: environmentOf(folder),
  });
  if (error !== undefined) throw error;
  return { exitCode: status, stdout, stderr };
}

/** The binary of this platform, which is in an optional package of its own. Its install script would only link it. */
function findBinary(name: string, file: string): string {
  const manifest = JSON.parse(readFileSync(join(PACKAGES, name, "package.json"), "utf8"));
  const packages = Object.keys(manifest.optionalDependencies);
  const path = packages.map((each) => join(PACKAGES, each, file)).find((each) => existsSync(each));
  if (path === undefined)
    throw new Error(`${name} has no binary for ${process.platform}-${process.arch}`);
  return path;
}
