import { isDeepStrictEqual } from "node:util";
import type { Lock } from "#generated/index.js";
import { createLock, findSourceCommit, toLockEntries } from "../../drift/sync/lock.js";
import type { RepositoryChange, SyncChoice } from "./to-repository-change.js";

/**
 * The lock that a repository is to have; undefined when it has one that says the same, or there is nothing to say. A later commit or a later
 * program alone, that made the same copies, is no reason to write it anew.
 */
export function planLock(
  { repository, plan, copies }: RepositoryChange,
  { prune }: SyncChoice,
  root: string,
): Lock | undefined {
  const sources = copies
    .filter(({ wanted }) => wanted !== undefined)
    .map(({ artefact }) => artefact.source);
  const artefacts = toLockEntries(plan, prune);
  if (artefacts.length === 0) return undefined;
  const commit = findSourceCommit(root, sources);
  const lock = createLock({ repository: repository.name, commit, artefacts });
  const isSame = isDeepStrictEqual(lock.artefacts, plan.lock?.artefacts);
  const learnsCommit = plan.lock?.source.commit === null && lock.source.commit !== null;
  return isSame && !learnsCommit ? undefined : lock;
}
