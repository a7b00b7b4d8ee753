import {
  type Artefact,
  type ArtefactKind,
  findErrors,
  isLock,
  type Lock,
  type LockedArtefact,
  type LockedHashes,
} from "#generated/index.js";
import { sha256 } from "../../base/files/hash.js";
import { FileFault } from "../../base/findings/finding.js";
import { describeFault } from "../../base/json/entry-type.js";
import { schemaHashes } from "../schemas/hashes.js";
import { type JsonFile, parseJsonFile, readJsonFile } from "../schemas/read-json-file.js";
import type { Tree } from "./trees/tree.js";

/** The file in a repository that records its copies and their hashes. */
export const LOCK_FILE = "rollout-wire.lock.json";

/**
 * Reads the lock of the repository at `root`. Throws as `readJsonFile` does, and FileFault (`lock`) if it does not
 * match schema/lock.schema.json, or would leave a copy unchecked.
 */
export function readLock(root: string): Lock {
  return requireLock(readJsonFile(root, LOCK_FILE), LOCK_FILE);
}

/** The lock in a tree; undefined if it has none. Throws as `readLock` does. */
export function readTreeLock(tree: Tree): Lock | undefined {
  const bytes = tree.read(LOCK_FILE);
  if (bytes === undefined) return undefined;
  const file = tree.nameOf(LOCK_FILE);
  return requireLock(parseJsonFile(bytes, file), file);
}

function requireLock({ value }: JsonFile, file: string): Lock {
  if (!isLock(value)) {
    const errors = findErrors("Lock", value);
    // Another version may lack anything.
    const error = errors.find(({ pointer }) => pointer === "/lock_version") ?? errors[0];
    if (error === undefined) throw new Error("the lock is invalid, but there is no error");
    throw invalid(file, error.pointer, describeFault(error, value));
  }
  // The name is printed as part of a shell command.
  if (!/^[\w.-]+$/.test(value.repository)) {
    throw invalid(file, "/repository", "is not a valid repository name");
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
 * The hashes of a file for the lock: all three for a schema, only that of the bytes for other files. Throws
 * JsonTextError if a schema has no canonical form.
 */
export function hashArtefact(kind: ArtefactKind, source: string | Uint8Array): LockedHashes {
  return kind === "schema" ? schemaHashes(source) : { bytes: sha256(source) };
}

/**
 * The files of an artefact in its pinned version, as listed in the lock. For code generated from an old version, the
 * lock is the only list of its files.
 */
export function listHeld(artefact: Artefact, lock: Lock | undefined): Artefact[] {
  return (lock?.artefacts ?? [])
    .filter(({ path, schema, version }) => {
      const isSame = schema === artefact.schema && version === artefact.version;
      return isSame && isWithin(path, artefact.path);
    })
    .map(({ source, path }) => ({ ...artefact, source, path }));
}

/** The entry of a copy in a lock; undefined if it was never copied. */
export function findLocked(lock: Lock | undefined, path: string): LockedArtefact | undefined {
  return lock?.artefacts.find((locked) => locked.path === path);
}

/** Whether a path equals `place`, or is below it. */
export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
