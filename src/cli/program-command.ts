import { readFileSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join, relative, sep } from "node:path";
import { isJsonObject } from "../base/json/value.js";
import { OWN_NAME } from "../base/package.js";
import { escapeControls, quoteForShell } from "../base/text.js";

/** What a launcher that is no npm sets: the words before the arguments. The Python package does. */
const LAUNCHER_VARIABLE = "ROLLOUT_WIRE_COMMAND";

/** How the program was started, as the process says it. */
export interface Start {
  /** The file that the runtime was given: `process.argv[1]`. */
  readonly file: string;
  /** The runtime, as it was named: `process.argv0`. */
  readonly runtime: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * The beginning of a command line that starts this program again from the same folder, as a shell takes it: `rollout-wire`
 * if that is on the PATH, `npx --no-install rollout-wire` in a project that has installed it, the same package again if npx
 * fetched it, what the launcher of the Python package says, else the runtime with the file. Sources: the variables
 * `npm_command` and `_npx` as npm 11 sets them.
 */
export function findProgramCommand({ file, runtime, env, cwd }: Start): string {
  const launcher = env[LAUNCHER_VARIABLE];
  if (launcher) return escapeControls(launcher);
  const isByNpm = env.npm_command !== undefined;
  const folder = findModules(file);
  const isLinked = basename(dirname(file)) === ".bin";
  if (folder !== undefined && basename(dirname(dirname(folder))) === "_npx") {
    return `npx ${readFetched(dirname(folder))}`;
  }
  if (isOnPath(file, env.PATH, isByNpm)) return OWN_NAME;
  if (folder !== undefined && (isByNpm || isLinked) && isAbove(dirname(folder), cwd)) {
    return `npx --no-install ${OWN_NAME}`;
  }
  if (basename(file) === OWN_NAME) return quoteForShell(file);
  return [...toRuntime(runtime), file].map(quoteForShell).join(" ");
}

/** The innermost `node_modules` that a file lies in. */
function findModules(file: string): string | undefined {
  const steps = file.split(sep);
  const last = steps.lastIndexOf("node_modules");
  return last < 0 ? undefined : steps.slice(0, last + 1).join(sep);
}

/** What npx was told to fetch: it notes that in the folder of its cache. A relative path starts in the working folder. */
function readFetched(cache: string): string {
  const packages = readPackages(join(cache, "package.json"));
  const [only, ...others] = packages;
  if (only?.startsWith(`${OWN_NAME}@`) && others.length === 0) return quoteForShell(only);
  // npx takes a file for new each time, and would ask.
  return ["--yes", ...packages.flatMap((each) => ["--package", each]), OWN_NAME]
    .map(quoteForShell)
    .join(" ");
}

function readPackages(file: string): readonly string[] {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    const noted = isJsonObject(manifest) && isJsonObject(manifest._npx) && manifest._npx.packages;
    return Array.isArray(noted) ? noted.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

/** Whether the name alone starts this file. Folders that only npm adds to the PATH do not count. */
function isOnPath(file: string, path: string | undefined, isByNpm: boolean): boolean {
  const folders = (path ?? "").split(delimiter).filter((folder) => folder !== "");
  const own = isByNpm ? folders.filter((folder) => findModules(folder) === undefined) : folders;
  const real = toRealPath(file);
  const found = own.map((folder) => toRealPath(join(folder, OWN_NAME))).find(Boolean);
  return real !== undefined && found === real;
}

function toRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isAbove(folder: string, cwd: string): boolean {
  return relative(folder, cwd).split(sep)[0] !== "..";
}

/** Deno runs files only with a command and permissions. */
function toRuntime(runtime: string): readonly string[] {
  return basename(runtime).startsWith("deno") ? [runtime, "run", "-A"] : [runtime];
}
