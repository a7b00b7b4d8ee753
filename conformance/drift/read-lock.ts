import { findErrors, isLock, type Lock } from "#generated/index.js";
import { FileFault } from "../../src/findings/finding.js";
import { describeError } from "../../src/json/schema-error.js";
import { type JsonFile, parseJsonFile, readJsonFile } from "../files/read-json-file.js";
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
