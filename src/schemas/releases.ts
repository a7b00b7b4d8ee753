import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FileFault } from "../findings/finding.js";
import { listJsonFiles } from "./artefacts.js";
import { sha256 } from "./hashes.js";
import { compareVersionNumbers, parseVersion, printVersion, type Version } from "./version.js";

const RELEASED_FILE = /^schema\/released\/([^/]+)\/v(\d+(?:\.\d+){0,2})\.schema\.json$/;

/** A published version of a schema. */
export interface Release {
  /** Name of the schema, such as `rollout-wire`. */
  readonly name: string;
  readonly version: Version;
  /** From the repository's root. */
  readonly file: string;
}

/** Where a version is published: 1.0.0 as `v1.schema.json`, 1.1.0 as `v1.1.schema.json`, 1.1.2 as `v1.1.2.schema.json`. */
export function toReleasedFile(name: string, version: Version): string {
  const short = printVersion(version).replace(/(\.0){1,2}$/, "");
  return `${RELEASED_FOLDER}/${name}/v${short}.schema.json`;
}

/** The version that a published file holds, by its name; undefined for one that is not called so. */
export function readReleasedFile(file: string): Release | undefined {
  const [, name, text] = RELEASED_FILE.exec(file) ?? [];
  if (name === undefined || text === undefined) return undefined;
  const version = parseVersion(text);
  return toReleasedFile(name, version) === file ? { name, version, file } : undefined;
}

/** The versions of schemas that are published below `root`, the newest first; of one schema alone when it is named. */
export function listReleases(root: string, name?: string): Release[] {
  return listJsonFiles(root, RELEASED_FOLDER)
    .flatMap((file) => readReleasedFile(file) ?? [])
    .filter((release) => name === undefined || release.name === name)
    .sort((one, other) => compareVersionNumbers(other.version, one.version));
}

/**
 * The newest published version of a schema below `root` whose number begins so: the newest 1.x for `1`, the newest
 * 1.1.x for `1.1`, and 1.1.0 alone for `1.1.0`. Undefined when there is none.
 */
export function findRelease(root: string, name: string, version: string): Release | undefined {
  return listReleases(root, name).find((release) =>
    `${printVersion(release.version)}.`.startsWith(`${version}.`),
  );
}

/** Folder of the published versions, whose bytes never change. */
export const RELEASED_FOLDER = "schema/released";

/** Their hashes, as `sha256sum -c` reads them in that folder. */
export const RELEASED_HASHES_FILE = `${RELEASED_FOLDER}/SHA256SUMS`;

/** What is recorded of a published file. */
export interface ReleasedHash {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash: string;
  /** Where it is recorded, from 1. */
  readonly line: number;
}

/**
 * What is recorded of the published files of the checkout at `root`, by their path from there; nothing when
 * nothing is. Throws FileFault for a line that is not `<64 digits>  <path>`, and for a path that stands there
 * twice.
 */
export function readReleasedHashes(root: string): ReadonlyMap<string, ReleasedHash> {
  const path = join(root, RELEASED_HASHES_FILE);
  const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
  const recorded = new Map<string, ReleasedHash>();
  for (const [index, text] of lines.entries()) {
    const [file, hash] = toEntry(text, index + 1);
    if (recorded.has(file)) throw invalid(hash.line, `is a second hash of ${file}`);
    recorded.set(file, hash);
  }
  return recorded;
}

/**
 * The file of hashes for the checkout at `root`. What is recorded stays as it is, so that a published file
 * that was touched, or is gone, differs from it; what is not is added.
 */
export function printReleasedHashes(root: string): string {
  const recorded = readReleasedHashes(root);
  const files = new Set([...recorded.keys(), ...listJsonFiles(root, RELEASED_FOLDER)]);
  const lines = [...files].sort().map((file) => {
    const hash = recorded.get(file)?.hash ?? hashOf(root, file);
    return `${hash.replace("sha256:", "")}  ${file.slice(RELEASED_FOLDER.length + 1)}\n`;
  });
  return lines.join("");
}

/** Hash of the bytes of a published file, as it is recorded. */
export function hashOf(root: string, file: string): string {
  return sha256(readFileSync(join(root, file)));
}

function toEntry(text: string, line: number): [file: string, hash: ReleasedHash] {
  const [, digits, path] = /^([0-9a-f]{64}) {2}(\S.*)$/.exec(text) ?? [];
  if (digits === undefined || path === undefined) {
    throw invalid(line, "is no line of sha256sum: 64 hexadecimal digits, two spaces, a path");
  }
  return [`${RELEASED_FOLDER}/${path}`, { hash: `sha256:${digits}`, line }];
}

function invalid(line: number, message: string): FileFault {
  const position = { line, column: 1 };
  return new FileFault({ id: "released-hash", file: RELEASED_HASHES_FILE, position, message });
}
