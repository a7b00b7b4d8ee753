import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Lock, LockedArtefact, Repository } from "#generated/index.js";
import { toReadError } from "../../../src/files/source.js";
import type { FaultPlace } from "../../../src/findings/finding.js";
import { FileFault } from "../../../src/findings/finding.js";
import { packageVersion } from "../../../src/package-version.js";
import { isLater } from "../../registry/version.js";
import type { Canonical } from "../canonical.js";
import { findStrangers } from "../find-strangers.js";
import { LOCK_FILE, readLock } from "../read-lock.js";
import { WorkingTree } from "../trees/working-tree.js";
import { findLeftovers, type Leftover } from "./find-leftovers.js";
import { findStrays } from "./find-strays.js";
import { type CopyState, judgeCopy } from "./judge-copy.js";
import { listWantedCopies, type WantedCopy } from "./list-wanted-copies.js";
import { requirePlace } from "./require-place.js";

/** A file that a repository is to hold, and what is there. */
export interface PlannedCopy extends WantedCopy {
  readonly state: CopyState;
  /** What is there; undefined when nothing is. */
  readonly copy: Buffer | undefined;
  readonly locked: LockedArtefact | undefined;
}

/** What a repository is to hold, and what it holds. */
export interface SyncPlan {
  readonly copies: readonly PlannedCopy[];
  readonly leftovers: readonly Leftover[];
  /** Files in folders that are copies as a whole, which nobody copied there. */
  readonly strangers: readonly string[];
  /** Files that a run left that was killed, from the root of the repository. */
  readonly strays: readonly string[];
  /** Undefined when it has none, or none that says anything. */
  readonly lock: Lock | undefined;
  /** Why the lock that is there says nothing. */
  readonly lockFault: FaultPlace | undefined;
}

export interface SyncPlanOptions {
  readonly canonical: Canonical;
  /** The package, or the checkout, from which the copies come. */
  readonly root: string;
  readonly repository: Repository;
  /** Where the repository lies. */
  readonly folder: string;
  /** As the user named that folder. */
  readonly name: string;
}

/**
 * Looks at what a repository holds, and changes nothing. Throws UserError (exit 3) when a file cannot be read, or
 * could not be written where it is to be.
 */
export function planSync(options: SyncPlanOptions): SyncPlan {
  const { canonical, root, repository, folder, name } = options;
  const { lock, lockFault } = findLock(options);
  const read = (path: string): Buffer | undefined => readCopy(folder, path, name);
  const copies = planCopies({ canonical, root, repository, lock, read });
  const paths = new Set(copies.map(({ artefact }) => artefact.path));
  const known = new Set([...paths, ...(lock?.artefacts ?? []).map(({ path }) => path)]);
  const tree = new WorkingTree(name, folder);
  const strangers = findStrangers(repository.name, known, { canonical, tree });
  const strays = findStrays(folder, [...paths, LOCK_FILE]);
  return {
    copies,
    strangers: strangers.map(({ path }) => path).filter((path) => !strays.includes(path)),
    leftovers: findLeftovers(lock?.artefacts ?? [], paths, read),
    strays,
    lock,
    lockFault,
  };
}

export interface CopyPlanOptions
  extends Pick<SyncPlanOptions, "canonical" | "root" | "repository"> {
  /** What the repository held before. */
  readonly lock: Lock | undefined;
  /** A file of the repository, undefined when there is none. */
  read(path: string): Buffer | undefined;
}

/** The files that a repository is to hold, and what each is that is there. */
export function planCopies({
  canonical,
  root,
  repository,
  lock,
  read,
}: CopyPlanOptions): PlannedCopy[] {
  const isLockedByLater = lock !== undefined && isLater(lock.tool_version, packageVersion());
  return listWantedCopies(repository, { canonical, root, lock }).map((wanted) => {
    const { artefact } = wanted;
    const locked = lock?.artefacts.find(({ path }) => path === artefact.path);
    const versions = artefact.kind === "schema" ? canonical.versionsOf(artefact.schema) : [];
    // Of what nobody knows, it may be a whole folder.
    const isKnown = wanted.wanted !== undefined || locked !== undefined;
    const copy = isKnown ? read(artefact.path) : undefined;
    const present = canonical.presentVersion(artefact.schema);
    const state = judgeCopy({ ...wanted, copy, locked, present, versions, isLockedByLater });
    return { ...wanted, copy, locked, state };
  });
}

function findLock({
  folder,
  name,
  repository,
}: SyncPlanOptions): Pick<SyncPlan, "lock" | "lockFault"> {
  requirePlace(folder, LOCK_FILE, name);
  if (!existsSync(join(folder, LOCK_FILE))) return { lock: undefined, lockFault: undefined };
  try {
    const lock = readLock(folder);
    if (lock.repository === repository.name) return { lock, lockFault: undefined };
    const message = `is the lock of ${lock.repository}, not of ${repository.name}`;
    const place = { id: "lock", file: LOCK_FILE, pointer: "/repository", message };
    return { lock: undefined, lockFault: place };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return { lock: undefined, lockFault: error.place };
  }
}

function readCopy(folder: string, path: string, name: string): Buffer | undefined {
  requirePlace(folder, path, name);
  if (!existsSync(join(folder, path))) return undefined;
  try {
    return readFileSync(join(folder, path));
  } catch (error) {
    throw toReadError(join(name, path), error);
  }
}
