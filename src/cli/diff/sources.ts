import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { MAX_SCHEMA_LENGTH, type SchemaSource, tooLarge } from "../../compat/load-version.js";
import { git, tryGit } from "../../files/git.js";
import { toReadError } from "../../files/source.js";
import { packageRoot } from "../../package.js";
import { readRegistry } from "../../schemas/registry.js";
import { findRelease, listReleases } from "../../schemas/releases.js";
import { parseVersion, printVersion } from "../../schemas/version.js";
import { escapeControls } from "../../text.js";
import { UserError } from "../../user-error.js";

const ENDING = ".schema.json";
const RELEASED = /^released:([a-z0-9-]+)\/v(\d+(?:\.\d+){0,2})$/;
const PRESENT = /^([a-z0-9-]+)\/v(\d+)$/;

/**
 * Reads the schema that the user names:
 *
 * - `released:<name>/v1`: the newest published version of this package with that prefix (also v1.1 or v1.1.0);
 * - `<name>/v1`: the current version in this package;
 * - `<git ref>:<path>`: a file in git;
 * - anything else: a path.
 *
 * Throws UserError (exit 3) if there is none.
 */
export function findSchemaSource(named: string, cwd: string): SchemaSource {
  const path = resolve(cwd, named);
  if (existsSync(path)) return readFile(named, path);
  const [, released, version] = RELEASED.exec(named) ?? [];
  if (released !== undefined && version !== undefined) {
    const file = findReleased(released, version);
    return readFile(file, join(packageRoot(), file));
  }
  const [, present, major] = PRESENT.exec(named) ?? [];
  if (present !== undefined) {
    const file = findPresent(present, Number(major));
    return readFile(file, join(packageRoot(), file));
  }
  const colon = named.indexOf(":");
  if (colon > 0) return readFromGit(named.slice(0, colon), named.slice(colon + 1), cwd);
  throw new UserError(
    `${escapeControls(named)}: no such file, nor is it released:<name>/v1, <name>/v1 or <git ref>:<path>`,
  );
}

/** The current schema of that name and major version in this package. */
function findPresent(name: string, major: number): string {
  const { schemas } = readRegistry(packageRoot());
  const entry = schemas.find((schema) => schema.name === name);
  if (entry !== undefined && parseVersion(entry.version).major === major) return entry.file;
  const known = entry === undefined ? "no schema of that name" : `${name} ${entry.version}`;
  throw new UserError(
    `${name}/v${major}: this package has ${known} (published: released:<name>/v1)`,
  );
}

/** The newest published version of a schema with that version prefix. */
function findReleased(name: string, version: string): string {
  const found = findRelease(packageRoot(), name, version);
  if (found !== undefined) return found.file;
  const releases = listReleases(packageRoot(), name);
  const known = releases.map((release) => `v${printVersion(release.version)}`).join(", ");
  throw new UserError(
    `released:${name}/v${version}: ${known === "" ? "no such schema was published" : `the published versions are ${known}`}`,
  );
}

function readFile(name: string, path: string): SchemaSource {
  const folder = dirname(path);
  const neighbours = existsSync(folder) ? readdirSync(folder) : [];
  const others = neighbours
    .filter((file) => file.endsWith(ENDING) && file !== basename(path))
    .map((file) => readText(join(folder, file), join(folder, file)));
  return { name, text: readText(name, path), others: [...others, ...readOwn()] };
}

function readFromGit(ref: string, path: string, cwd: string): SchemaSource {
  const commit = findCommit(cwd, { ref, path });
  const show = (file: string): string => git(cwd, "show", `${commit}:./${file}`).toString("utf8");
  const text = readShown(`${ref}:${path}`, () => show(path));
  const others = git(cwd, "ls-tree", "--name-only", commit, "--", `${dirname(path)}/`)
    .toString("utf8")
    .split("\n")
    .filter((file) => file.endsWith(ENDING) && basename(file) !== basename(path))
    .map(show);
  return { name: `${ref}:${path}`, text, others: [...others, ...readOwn()] };
}

/** Reports errors under the name that the user gave. */
function readShown(name: string, read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${escapeControls(name)}: no such file in that commit`);
  }
}

/** The schemas of this package, current and published, to which a standalone schema may refer. */
function readOwn(): string[] {
  const folder = join(packageRoot(), "schema");
  const present = readdirSync(folder).filter((file) => file.endsWith(ENDING));
  const released = listReleases(packageRoot()).map(({ file }) => join(packageRoot(), file));
  return [...present.map((file) => join(folder, file)), ...released].map((path) =>
    readText(path, path),
  );
}

function readText(name: string, path: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_SCHEMA_LENGTH) throw tooLarge(name, size);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw toReadError(name, error);
  }
}

/** A word that needs no quoting on a command line. */
const PLAIN = /^[\w./@-]+$/;

/** A reference followed by ancestor steps, such as `~2` or `^`. */
const ANCESTOR = /^(.+?)((?:~\d*|\^)+)$/;

/**
 * Returns the commit that a git reference names. Throws UserError (exit 3) if it is missing, with the command
 * that fetches it: CI usually makes a shallow clone with a single commit of a single branch.
 */
function findCommit(cwd: string, named: NamedFile): string {
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

interface NamedFile {
  readonly ref: string;
  readonly path: string;
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
