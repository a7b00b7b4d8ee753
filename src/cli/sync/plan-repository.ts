import { join } from "node:path";
import type { Lock } from "#generated/index.js";
import { LOCK_FILE } from "../../drift/lock.js";
import { planLock } from "./plan-lock.js";
import type { RepositoryChange, SyncChoice } from "./to-repository-change.js";
import type { CopyChanges } from "./write-copies.js";

/** What is done to a repository, down to the files; nothing where all is as it is to be. */
export interface PlannedRepository extends CopyChanges {
  readonly change: RepositoryChange;
  /** Undefined when the lock that is there stays. */
  readonly lock: Lock | undefined;
}

/** Turns decisions into files, the lock last: where it is in place, all that it speaks of is. */
export function planRepository(
  change: RepositoryChange,
  choice: SyncChoice,
  root: string,
): PlannedRepository {
  const { folder, copies, leftovers } = change;
  const lock = planLock(change, choice, root);
  const written = copies.flatMap(({ action, artefact, copy, wanted }) => {
    if (action === "keep" || wanted === undefined || copy?.equals(wanted)) return [];
    return [{ path: join(folder, artefact.path), content: wanted }];
  });
  const lockFile = lock && {
    path: join(folder, LOCK_FILE),
    content: `${JSON.stringify(lock, null, 2)}\n`,
  };
  const removed = leftovers
    .filter(({ action }) => action === "remove")
    .map(({ locked }) => join(folder, locked.path));
  return { change, lock, written: [...written, ...(lockFile ? [lockFile] : [])], removed };
}
