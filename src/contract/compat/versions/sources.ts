import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { toSlashes } from "../../../base/files/inputs.js";
import { toReadError } from "../../../base/files/source.js";
import { packageRoot } from "../../../base/package.js";
import { escapeControls } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { readRegistry } from "../../schemas/registry.js";
import { findRelease, listReleases } from "../../schemas/releases.js";
import { parseVersion, printVersion } from "../../schemas/version.js";
import type { SchemaSource } from "../load-version.js";
import type { SchemaFiles } from "../schema/link-files.js";
import { MAX_SCHEMA_LENGTH, tooLarge } from "../schema/parse-schema.js";
import { findCommit } from "./commit.js";
import { CommitFiles } from "./commit-files.js";
import { CommitSchemas } from "./commit-schemas.js";
import { GitBlobs } from "./git-blobs.js";
import { chooseBeside, readOwnTexts } from "./surroundings.js";

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
    return readFromGit(named, colon, { cwd, schemaRoot });
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

/** Limits on the schemas that are read because they are beside the one that was named. */
const MAX_BESIDE = 500;
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
  const shown = found.map(show).filter((file) => file !== show(path));
  const beside = chooseBeside(shown)
    .slice(0, MAX_BESIDE)
    .filter((file) => {
      left -= statSync(resolve(cwd, file)).size;
      return left >= 0;
    });
  const files: SchemaFiles = {
    path: show(path),
    beside,
    roots: roots.map(show),
    read: (file) => (isFile(resolve(cwd, file)) ? readText(file, resolve(cwd, file)) : undefined),
  };
  return { name, text: readText(name, path), others: readOwnTexts(), origin: path, files };
}

/** Paths are relative to the current folder, as git prints them. */
function readFromGit(
  named: string,
  colon: number,
  { cwd, schemaRoot }: Surroundings,
): SchemaSource {
  const [ref, file] = [named.slice(0, colon), named.slice(colon + 1)];
  const commit = findCommit(cwd, { ref, path: file });
  const files = new CommitFiles(cwd, { ref, commit }, new GitBlobs(cwd));
  const path = posix.normalize(file);
  return new CommitSchemas(files, { cwd, schemaRoot, schemas: [path] }).toSource(path, named);
}

function listFolder(folder: string, recursive: boolean): string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { recursive, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => isFile(file) && statSync(file).size <= MAX_BESIDE_BYTES);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
