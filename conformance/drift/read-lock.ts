import { findErrors, isLock, type Lock } from "#generated/index.js";
import { describeError } from "../../src/records/describe-error.js";
import { readJsonFile } from "../files/read-json-file.js";
import type { FaultPlace } from "../findings/fault-place.js";
import { FileFault } from "../findings/file-fault.js";

/** The file in a repository that says what its copies were when they were made. */
export const LOCK_FILE = "rollout-wire.lock.json";

/**
 * Reads the lock of the repository at `root`. Throws as `readJsonFile` does, and FileFault (`lock`) when it is
 * not what schema/lock.schema.json describes, or would leave a copy unchecked.
 */
export function readLock(root: string): Lock {
  const { value } = readJsonFile(root, LOCK_FILE);
  if (!isLock(value)) {
    const [error] = findErrors("Lock", value);
    if (error === undefined) throw new Error("the lock is invalid, and nobody says why");
    throw invalid(error.pointer, describeError(error, value));
  }
  for (const [index, { kind, hashes, path }] of value.artefacts.entries()) {
    const pointer = `/artefacts/${index}`;
    const isWhole = hashes.canonical !== undefined && hashes.contract !== undefined;
    if (kind === "schema" && !isWhole) {
      throw invalid(`${pointer}/hashes`, "must have all three hashes of a schema: sync again");
    }
    if (value.artefacts.findIndex((other) => other.path === path) < index) {
      throw invalid(`${pointer}/path`, "is locked twice: sync again");
    }
  }
  return value;
}

function invalid(pointer: string, message: string): FileFault {
  const place: FaultPlace = { id: "lock", file: LOCK_FILE, pointer, message };
  return new FileFault(place);
}
