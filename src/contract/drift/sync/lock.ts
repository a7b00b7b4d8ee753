import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import {
  findErrors,
  isLock,
  LOCK_LOCK_VERSION,
  type Lock,
  type LockedArtefact,
  type LockSource,
} from "#generated/index.js";
import { tryGit } from "../../../base/files/git.js";
import { isJsonObject } from "../../../base/json/value.js";
import { packageVersion } from "../../../base/package.js";
import { UserError } from "../../../base/user-error.js";
import { hashArtefact, LOCK_FILE } from "../lock.js";
import type { PlannedCopy, SyncPlan } from "./plan.js";

interface LockOptions {
  /** The repository that has the copies. */
  readonly repository: string;
  /** The repository that they come from, and its commit; null if they do not come from a commit. */
  readonly source: LockSource;
  /** In any order. */
  readonly artefacts: readonly LockedArtefact[];
}

/** A lock in the form that is written. Throws UserError (exit 3) if it would be invalid. */
export function createLock({ repository, source, artefacts }: LockOptions): Lock {
  const lock: Lock = {
    lock_version: LOCK_LOCK_VERSION,
    tool_version: packageVersion(),
    repository,
    source,
    artefacts: artefacts.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  };
  if (isLock(lock)) return lock;
  const [error] = findErrors("Lock", lock);
  throw new UserError(`${LOCK_FILE} would not be valid: ${error?.pointer} ${error?.message}`);
}

/**
 * The lock entries after a sync: every wanted copy, and, unless `prunes`, the retired copies that still exist, so that
 * they are not forgotten.
 */
export function toLockEntries({ copies, retired }: SyncPlan, prunes: boolean): LockedArtefact[] {
  const kept = retired.filter(({ state }) => !prunes && state !== "gone");
  return [...copies.flatMap(toEntry), ...kept.map(({ locked }) => locked)];
}

/** None for a copy that is neither available nor locked. */
function toEntry({ artefact, wanted, locked }: PlannedCopy): LockedArtefact[] {
  if (wanted === undefined) return locked === undefined ? [] : [locked];
  const { kind, schema, version, source, path } = artefact;
  return [{ kind, schema, version, source, path, hashes: hashArtefact(kind, wanted) }];
}

/** Records the commit that a package was packed from: written by `npm run build`, never committed. */
export const PACKED_SOURCE = "dist/source.json";

/**
 * The commit of the checkout at `root` whose `files` (paths from there) are those on disk. For an installed package,
 * the commit that it was packed from. Null if there is none, for example because files are not committed.
 */
export function findSourceCommit(root: string, files: readonly string[]): string | null {
  const top = tryGit(root, "rev-parse", "--show-toplevel")?.toString("utf8").trim();
  if (top === undefined || realpathSync(top) !== realpathSync(root)) return readPackedCommit(root);
  const changed = tryGit(
    root,
    "--literal-pathspecs",
    ...["status", "--porcelain", "--ignored", "--untracked-files=all", "--"],
    ...files,
  );
  if (changed === undefined || changed.length > 0) return null;
  return tryGit(root, "rev-parse", "--verify", "HEAD")?.toString("utf8").trim() ?? null;
}

function readPackedCommit(root: string): string | null {
  const file = join(root, PACKED_SOURCE);
  if (!existsSync(file)) return null;
  const source: unknown = JSON.parse(readFileSync(file, "utf8"));
  return isJsonObject(source) && typeof source.commit === "string" ? source.commit : null;
}
