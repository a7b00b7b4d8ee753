import type { LockedArtefact } from "#generated/index.js";
import { sha256 } from "../../registry/schema-hashes.js";

/** A copy that a repository held by its lock, and is not to hold any more. */
export interface Leftover {
  readonly locked: LockedArtefact;
  /** `gone`: it is not there. `unchanged`: it is what it was when it was copied. */
  readonly state: "gone" | "unchanged" | "changed";
}

/** What stands in a lock and not among `paths`; `read` gives a file of the repository, undefined when there is none. */
export function findLeftovers(
  artefacts: readonly LockedArtefact[],
  paths: ReadonlySet<string>,
  read: (path: string) => Buffer | undefined,
): Leftover[] {
  return artefacts
    .filter(({ path }) => !paths.has(path))
    .map((locked) => ({ locked, state: stateOf(locked, read(locked.path)) }));
}

function stateOf({ hashes }: LockedArtefact, copy: Buffer | undefined): Leftover["state"] {
  if (copy === undefined) return "gone";
  return sha256(copy) === hashes.bytes ? "unchanged" : "changed";
}
