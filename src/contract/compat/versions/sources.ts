import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix, relative, resolve } from "node:path";
import { toSlashes } from "../../../base/files/inputs.js";
import { toReadError } from "../../../base/files/source.js";
import { packageRoot } from "../../../base/package.js";
import { escapeControls } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { formatUseOf } from "../../schemas/format-use.js";
import { readRegistry } from "../../schemas/registry.js";
import { findRelease, listReleases } from "../../schemas/releases.js";
import { parseVersion, printVersion } from "../../schemas/version.js";
import type { SchemaSource } from "../load-version.js";
import { MAX_SCHEMA_LENGTH, tooLarge } from "../schema/parse-schema.js";
import { findCommit } from "./commit.js";
import { CommitFiles } from "./commit-files.js";
import { CommitSchemas } from "./commit-schemas.js";
import { GitBlobs } from "./git-blobs.js";
import { type FileTree, findNamedFiles, listOwn, readNamed } from "./named-files.js";

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
 * `#/$defs/<Name>` after any of these names one schema in the document. `schemas` are files, folders and patterns, in which
 * references are found. Throws UserError (exit 3) if there is no such schema, file or folder.
 */
export function findSchemaSource(
  named: string,
  cwd: string,
  schemas: readonly string[] = [],
): SchemaSource {
  const hash = existsSync(resolve(cwd, named)) ? -1 : named.indexOf("#");
  if (hash >= 0) {
    const fragment = named.slice(hash + 1);
    return { ...findSchemaSource(named.slice(0, hash), cwd, schemas), fragment };
  }
  const path = resolve(cwd, named);
  if (existsSync(path)) return readFile(named, path, { cwd, schemas });
  const [, released, version] = RELEASED.exec(named) ?? [];
  if (released !== undefined && version !== undefined) {
    return readOwn(findReleased(released, version));
  }
  const [, present, major] = PRESENT.exec(named) ?? [];
  if (present !== undefined) {
    return readOwn(findPresent(present, Number(major)));
  }
  const colon = named.indexOf(":");
  if (colon > 0) {
    return readFromGit(named, colon, { cwd, schemas });
  }
  throw new UserError(
    `${escapeControls(named)}: no such file, nor is it released:<name>/v1, <name>/v1 or <git ref>:<path>`,
  );
}

interface Surroundings {
  readonly cwd: string;
  readonly schemas: readonly string[];
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

/** A schema of this package, which refers to others by their `$id`. */
function readOwn(name: string): SchemaSource {
  const origin = join(packageRoot(), name);
  const formats = formatUseOf(packageRoot(), name);
  return { name, text: readText(name, origin), others: listOwn(), origin, formats };
}

/** Paths are relative to the current folder, as messages show them. */
function readFile(name: string, path: string, { cwd, schemas }: Surroundings): SchemaSource {
  const show = (file: string): string => toSlashes(relative(cwd, resolve(cwd, file))) || ".";
  const tree = treeOf(cwd);
  const { roots, files, missing } = findNamedFiles(schemas.map(show), tree);
  const [none] = missing;
  if (none !== undefined) throw new UserError(`${escapeControls(none)}: no such file or folder`);
  return {
    name,
    text: readText(name, path),
    others: readNamed(files, tree),
    origin: path,
    formats: formatUseOf(cwd, name),
    files: { path: show(path), roots, read: tree.read },
  };
}

function treeOf(cwd: string): FileTree {
  const has = (path: string): boolean =>
    statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isFile() === true;
  return {
    has,
    read: (path) => (has(path) ? readText(path, resolve(cwd, path)) : undefined),
    list: (folder) => [...listBelow(cwd, folder)].sort(),
  };
}

function* listBelow(cwd: string, folder: string): Generator<string> {
  if (!isFolder(resolve(cwd, folder))) return;
  for (const name of readdirSync(resolve(cwd, folder))) {
    const path = posix.join(folder, name);
    if (name.endsWith(".json")) yield path;
    else if (name !== "node_modules" && name !== ".git") yield* listBelow(cwd, path);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Paths are relative to the current folder, as git prints them. */
function readFromGit(named: string, colon: number, { cwd, schemas }: Surroundings): SchemaSource {
  const [ref, file] = [named.slice(0, colon), named.slice(colon + 1)];
  const commit = findCommit(cwd, { ref, path: file });
  const files = new CommitFiles(cwd, { ref, commit }, new GitBlobs(cwd));
  const path = posix.normalize(file);
  return new CommitSchemas(files, { cwd, named: schemas, schemas: [path] }).toSource(path, named);
}

function readText(name: string, path: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_SCHEMA_LENGTH) throw tooLarge(name, size);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (error instanceof TypeError) throw new UserError(`${name}: is not UTF-8`);
    throw toReadError(name, error);
  }
}
