import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../base/files/hash.js";
import { FileFault } from "../../base/findings/finding.js";
import { listJsonFiles } from "./artefacts.js";
import { compareVersionNumbers, parseVersion, printVersion, type Version } from "./version.js";

const RELEASED_FILE = /^schema\/released\/([^/]+)\/v(\d+(?:\.\d+){0,2})\.schema\.json$/;

/** A published version of a schema. */
export interface Release {
  /** Name of the schema, such as `rollout-wire`. */
  readonly name: string;
  readonly version: Version;
  /** Its path in the repository. */
  readonly file: string;
}

/** The file of a version: 1.0.0 is `v1.schema.json`, 1.1.0 `v1.1.schema.json`, 1.1.2 `v1.1.2.schema.json`. */
export function toReleasedFile(name: string, version: Version): string {
  const short = printVersion(version).replace(/(\.0){1,2}$/, "");
  return `${RELEASED_FOLDER}/${name}/v${short}.schema.json`;
}

/** The version of a published file, by its path; undefined for other paths. */
export function readReleasedFile(file: string): Release | undefined {
  const [, name, text] = RELEASED_FILE.exec(file) ?? [];
  if (name === undefined || text === undefined) return undefined;
  const version = parseVersion(text);
  return toReleasedFile(name, version) === file ? { name, version, file } : undefined;
}

/** The published schema versions below `root`, the newest first; of one schema if `name` is given. */
export function listReleases(root: string, name?: string): Release[] {
  return listJsonFiles(root, RELEASED_FOLDER)
    .flatMap((file) => readReleasedFile(file) ?? [])
    .filter((release) => name === undefined || release.name === name)
    .sort((one, other) => compareVersionNumbers(other.version, one.version));
}

/**
 * The newest published version of a schema that matches `version`: the newest 1.x for `1`, the newest 1.1.x for `1.1`,
 * and 1.1.0 only for `1.1.0`. Undefined if there is none.
 */
export function findRelease(root: string, name: string, version: string): Release | undefined {
  return listReleases(root, name).find((release) =>
    `${printVersion(release.version)}.`.startsWith(`${version}.`),
  );
}

/** The folder of published versions, whose bytes never change. */
export const RELEASED_FOLDER = "schema/released";

/** Their hashes, as `sha256sum -c` reads them in that folder. */
export const RELEASED_HASHES_FILE = `${RELEASED_FOLDER}/SHA256SUMS`;

/** The recorded hash of a published file. */
interface ReleasedHash {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash: string;
  /** The line in the file of hashes, 1-based. */
  readonly line: number;
}

/**
 * The recorded hashes of the published files below `root`, by path. Throws FileFault for a line that is not
 * `<64 digits>  <path>`, and for a repeated path.
 */
export function readReleasedHashes(root: string): ReadonlyMap<string, ReleasedHash> {
  const path = join(root, RELEASED_HASHES_FILE);
  const text = existsSync(path) ? readFileSync(path, "utf8").trimEnd() : "";
  // Empty where no schema is of tier "wire".
  const lines = text === "" ? [] : text.split("\n");
  const recorded = new Map<string, ReleasedHash>();
  for (const [index, text] of lines.entries()) {
    const [file, hash] = toEntry(text, index + 1);
    if (recorded.has(file)) throw invalid(hash.line, `is a second hash of ${file}`);
    recorded.set(file, hash);
  }
  return recorded;
}

/**
 * The text of the file of hashes for the checkout at `root`. Recorded hashes stay, so that modified and deleted files
 * are detected; hashes of new files are added.
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

/** The hash of a published file, in the form that is recorded. */
export function hashOf(root: string, file: string): string {
  return sha256(readFileSync(join(root, file)));
}

function toEntry(text: string, line: number): [file: string, hash: ReleasedHash] {
  const [, digits, path] = /^([0-9a-f]{64}) {2}(\S.*)$/.exec(text) ?? [];
  if (digits === undefined || path === undefined) {
    throw invalid(line, "is not a line of sha256sum: 64 hexadecimal digits, two spaces, a path");
  }
  return [`${RELEASED_FOLDER}/${path}`, { hash: `sha256:${digits}`, line }];
}

function invalid(line: number, message: string): FileFault {
  const position = { line, column: 1 };
  return new FileFault({ id: "released-hash", file: RELEASED_HASHES_FILE, position, message });
}
