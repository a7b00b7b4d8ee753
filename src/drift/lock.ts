import {
  type Artefact,
  type ArtefactKind,
  findErrors,
  isLock,
  type Lock,
  type LockedHashes,
} from "#generated/index.js";
import { FileFault } from "../findings/finding.js";
import { describeError } from "../json/schema-error.js";
import { schemaHashes, sha256 } from "../schemas/hashes.js";
import { type JsonFile, parseJsonFile, readJsonFile } from "../schemas/read-json-file.js";
import type { Tree } from "./trees/tree.js";

/** The file in a repository that says what its copies were when they were made. */
export const LOCK_FILE = "rollout-wire.lock.json";

/**
 * Reads the lock of the repository at `root`. Throws as `readJsonFile` does, and FileFault (`lock`) when it is
 * not what schema/lock.schema.json describes, or would leave a copy unchecked.
 */
export function readLock(root: string): Lock {
  return requireLock(readJsonFile(root, LOCK_FILE), LOCK_FILE);
}

/** The lock of a repository whose files are at hand; undefined when it has none. Throws as `readLock` does. */
export function readTreeLock(tree: Tree): Lock | undefined {
  const bytes = tree.read(LOCK_FILE);
  if (bytes === undefined) return undefined;
  const file = tree.nameOf(LOCK_FILE);
  return requireLock(parseJsonFile(bytes, file), file);
}

function requireLock({ value }: JsonFile, file: string): Lock {
  if (!isLock(value)) {
    const [error] = findErrors("Lock", value);
    if (error === undefined) throw new Error("the lock is invalid, and nobody says why");
    throw invalid(file, error.pointer, describeError(error, value));
  }
  // It is printed in a command to be copied.
  if (!/^[\w.-]+$/.test(value.repository)) {
    throw invalid(file, "/repository", "is no name of a repository");
  }
  for (const [index, { kind, hashes, path }] of value.artefacts.entries()) {
    const pointer = `/artefacts/${index}`;
    const isWhole = hashes.canonical !== undefined && hashes.contract !== undefined;
    if (kind === "schema" && !isWhole) {
      throw invalid(file, `${pointer}/hashes`, "must have all three hashes of a schema");
    }
    if (value.artefacts.findIndex((other) => other.path === path) < index) {
      throw invalid(file, `${pointer}/path`, "is locked twice");
    }
  }
  return value;
}

function invalid(file: string, pointer: string, message: string): FileFault {
  return new FileFault({ id: "lock", file, pointer, message });
}

/**
 * The hashes of a file that a lock keeps: of a schema all three, of any other that of its bytes. Throws
 * JsonTextError for a schema that has no canonical form.
 */
export function hashArtefact(kind: ArtefactKind, source: string | Uint8Array): LockedHashes {
  return kind === "schema" ? schemaHashes(source) : { bytes: sha256(source) };
}

/**
 * The files of an artefact by the lock of the repository that holds it, in the version at which it is pinned: of what
 * is made from an old version, only that knows which files it was.
 */
export function listHeld(artefact: Artefact, lock: Lock | undefined): Artefact[] {
  return (lock?.artefacts ?? [])
    .filter(({ path, schema, version }) => {
      const isSame = schema === artefact.schema && version === artefact.version;
      return isSame && isWithin(path, artefact.path);
    })
    .map(({ source, path }) => ({ ...artefact, source, path }));
}

/** Whether a file is at a place, or in the folder there. */
export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
