import type { LockedArtefact } from "#generated/index.js";
import { hashArtefact } from "../hash-artefact.js";
import type { PlannedCopy, SyncPlan } from "./plan-sync.js";

/**
 * What the lock of a repository says after a sync: every copy that is to be there, and, unless `prunes`, what is
 * there of the copies that it is not to hold any more, so that they are not forgotten.
 */
export function toLockEntries({ copies, leftovers }: SyncPlan, prunes: boolean): LockedArtefact[] {
  const kept = leftovers.filter(({ state }) => !prunes && state !== "gone");
  return [...copies.flatMap(toEntry), ...kept.map(({ locked }) => locked)];
}

/** None for what nobody has, which is no lock's business. */
function toEntry({ artefact, wanted, locked }: PlannedCopy): LockedArtefact[] {
  if (wanted === undefined) return locked === undefined ? [] : [locked];
  const { kind, schema, version, source, path } = artefact;
  return [{ kind, schema, version, source, path, hashes: hashArtefact(kind, wanted) }];
}
