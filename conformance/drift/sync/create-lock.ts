import {
  findErrors,
  isLock,
  LOCK_LOCK_VERSION,
  type Lock,
  type LockedArtefact,
} from "#generated/index.js";
import { describeError } from "../../../src/json/schema-error.js";
import { packageVersion } from "../../../src/package-version.js";
import { UserError } from "../../../src/user-error.js";
import { LOCK_FILE } from "../read-lock.js";

/** What copies are copies of, as locks call it. */
const SOURCE = "rollout-wire";

export interface LockOptions {
  /** The repository that holds the copies. */
  readonly repository: string;
  /** Of this repository; null when the copies were not made from one. */
  readonly commit: string | null;
  /** In any order. */
  readonly artefacts: readonly LockedArtefact[];
}

/** A lock as this program writes it. Throws UserError (exit 3) when nobody could read it. */
export function createLock({ repository, commit, artefacts }: LockOptions): Lock {
  const lock: Lock = {
    lock_version: LOCK_LOCK_VERSION,
    tool_version: packageVersion(),
    repository,
    source: { repository: SOURCE, commit },
    artefacts: artefacts.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  };
  if (isLock(lock)) return lock;
  const [error] = findErrors("Lock", lock);
  throw new UserError(
    `${LOCK_FILE} would not be valid: ${error?.pointer} ${error && describeError(error, lock)}`,
  );
}
