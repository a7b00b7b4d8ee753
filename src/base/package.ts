import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The name of this package and its repository. */
export const OWN_NAME = "rollout-wire";

/** The file in a repository that says which copies it holds, and how strictly they are judged. */
export const CONFIG_FILE = "rollout-wire.config.json";

/** Root folder of this package, in a checkout or an installation. */
export function packageRoot(): string {
  return dirname(createRequire(import.meta.url).resolve("rollout-wire/package.json"));
}

/** Version of this program, from its package.json. */
export function packageVersion(): string {
  const version = readManifest("version");
  if (typeof version === "string") return version;
  throw new TypeError("rollout-wire/package.json has no version");
}

/**
 * The page of the repository, such as `https://github.com/jane/rollout-wire`, from package.json, the one place that holds
 * it. Undefined before the first release: then it names no owner yet, and nothing is to be found there, nor on npm.
 */
export function repositoryPage(): string | undefined {
  const url = readManifest("repository", "url");
  if (typeof url !== "string" || findPlaceholders(url).length > 0) return undefined;
  return toPage(url);
}

/** The page of a git URL as npm writes it: without `git+` and `.git`. */
export function toPage(url: string): string {
  return url.replace(/^git\+|\.git$/g, "");
}

/** What must be filled in before a release, such as `<owner>`; each once. */
export function findPlaceholders(text: string): string[] {
  return [...new Set(text.match(/<[a-z]+>/g))].sort();
}

/** A value of package.json; undefined if there is none. */
function readManifest(...keys: readonly string[]): unknown {
  const manifest: unknown = createRequire(import.meta.url)("rollout-wire/package.json");
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  return keys.reduce(
    (value, key) => (isObject(value) ? Reflect.get(value, key) : undefined),
    manifest,
  );
}
