import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { git, tryGit } from "../../../base/files/git.js";
import { toSlashes } from "../../../base/files/inputs.js";
import { toReadError } from "../../../base/files/source.js";
import { packageRoot } from "../../../base/package.js";
import { escapeControls } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { readRegistry } from "../../schemas/registry.js";
import { findRelease, listReleases } from "../../schemas/releases.js";
import { listReferableTexts } from "../../schemas/schema-id.js";
import { parseVersion, printVersion } from "../../schemas/version.js";
import type { SchemaSource } from "../load-version.js";
import type { SchemaFiles } from "../schema/link-files.js";
import { MAX_SCHEMA_LENGTH, tooLarge } from "../schema/parse-schema.js";

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
 * `#/$defs/<Name>` after any of these names one schema in the document. `schemaRoot` is a folder in which references
 * may begin. Throws UserError (exit 3) if there is no such schema or folder.
 */
export function findSchemaSource(
  named: string,
  cwd: string,
  schemaRoot: string | undefined = undefined,
): SchemaSource {
  const hash = existsSync(resolve(cwd, named)) ? -1 : named.indexOf("#");
  if (hash >= 0) {
    const fragment = named.slice(hash + 1);
    return { ...findSchemaSource(named.slice(0, hash), cwd, schemaRoot), fragment };
  }
  const path = resolve(cwd, named);
  if (existsSync(path)) return readFile(named, path, { cwd, schemaRoot });
  const [, released, version] = RELEASED.exec(named) ?? [];
  if (released !== undefined && version !== undefined) {
    const file = findReleased(released, version);
    return readFile(file, join(packageRoot(), file), { cwd });
  }
  const [, present, major] = PRESENT.exec(named) ?? [];
  if (present !== undefined) {
    const file = findPresent(present, Number(major));
    return readFile(file, join(packageRoot(), file), { cwd });
  }
  const colon = named.indexOf(":");
  if (colon > 0) {
    const at = { ref: named.slice(0, colon), path: named.slice(colon + 1) };
    return readFromGit(at, findCommit(cwd, at), { cwd, schemaRoot });
  }
  throw new UserError(
    `${escapeControls(named)}: no such file, nor is it released:<name>/v1, <name>/v1 or <git ref>:<path>`,
  );
}

interface Surroundings {
  readonly cwd: string;
  readonly schemaRoot?: string | undefined;
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

/** Limits on the schemas that are read because they are beside the one that was named. Git takes a process for each. */
const MAX_BESIDE = 500;
const MAX_BESIDE_IN_GIT = 100;
const MAX_BESIDE_BYTES = 2 ** 20;
const MAX_BESIDE_BYTES_IN_ALL = 16 * 2 ** 20;

/** Paths are relative to the current folder, as messages show them. */
function readFile(name: string, path: string, { cwd, schemaRoot }: Surroundings): SchemaSource {
  if (schemaRoot !== undefined && !isFolder(resolve(cwd, schemaRoot))) {
    throw new UserError(`${escapeControls(schemaRoot)}: no such folder`);
  }
  const show = (file: string): string => toSlashes(relative(cwd, resolve(cwd, file)));
  const roots = schemaRoot === undefined ? [] : [resolve(cwd, schemaRoot)];
  const found = [
    ...listFolder(dirname(path), false),
    ...roots.flatMap((root) => listFolder(root, true)),
  ];
  let left = MAX_BESIDE_BYTES_IN_ALL;
  const beside = chooseBeside(found.map(show), show(path), MAX_BESIDE).filter((file) => {
    left -= statSync(resolve(cwd, file)).size;
    return left >= 0;
  });
  const files: SchemaFiles = {
    path: show(path),
    beside,
    roots: roots.map(show),
    read: (file) => (isFile(resolve(cwd, file)) ? readText(file, resolve(cwd, file)) : undefined),
  };
  return { name, text: readText(name, path), others: readOwn(), files };
}

function listFolder(folder: string, recursive: boolean): string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { recursive, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => isFile(file) && statSync(file).size <= MAX_BESIDE_BYTES);
}

/** The files that may be schemas, those with the usual ending first. */
function chooseBeside(files: readonly string[], path: string, limit: number): string[] {
  const candidates = files.filter(
    (file) => file.endsWith(".json") && file !== path && !IGNORED.test(file),
  );
  const isUsual = (file: string): boolean => file.endsWith(ENDING);
  const sorted = [...candidates.filter(isUsual), ...candidates.filter((file) => !isUsual(file))];
  return sorted.slice(0, limit);
}

/** Folders and files that contain no schemas of a repository's own. */
const IGNORED = /(^|\/)(node_modules|\.git)\/|(^|\/)(package|package-lock|tsconfig)\.json$/;

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Reads a schema of a commit. Paths are relative to the current folder, as git prints them. Throws UserError (exit 3) if
 * there is no such file.
 */
export function readFromGit(
  at: NamedFile,
  commit: string,
  { cwd, schemaRoot }: Surroundings,
): SchemaSource {
  const name = `${at.ref}:${at.path}`;
  const path = posix.normalize(at.path);
  const show = (file: string): Buffer | undefined =>
    tryGit(cwd, "cat-file", "blob", `${commit}:./${file}`);
  const list = (folder: string, ...options: readonly string[]): string[] =>
    (tryGit(cwd, "ls-tree", ...options, "--name-only", commit, "--", `${folder}/`) ?? "")
      .toString("utf8")
      .split("\n");
  const roots = schemaRoot === undefined ? [] : [posix.normalize(schemaRoot)];
  const found = [...list(dirname(path)), ...roots.flatMap((root) => list(root, "-r"))];
  const files: SchemaFiles = {
    path,
    beside: chooseBeside(found, path, MAX_BESIDE_IN_GIT),
    roots,
    read: (file) => show(file)?.toString("utf8"),
  };
  const text = show(path);
  if (text === undefined) {
    throw new UserError(`${escapeControls(name)}: no such file in that commit`);
  }
  if (text.length > MAX_SCHEMA_LENGTH) throw tooLarge(name, text.length);
  return { name, text: text.toString("utf8"), others: readOwn(), files };
}

/** The schemas of this package, current and published, to which a standalone schema may refer. */
function readOwn(): string[] {
  const root = packageRoot();
  return listReferableTexts(readRegistry(root).schemas, (file) => {
    const path = join(root, file);
    return readText(path, path);
  });
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
