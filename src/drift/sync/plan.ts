import { existsSync, lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join, posix } from "node:path";
import type { Lock, LockedArtefact, Repository } from "#generated/index.js";
import { toReadError } from "../../files/source.js";
import { type FaultPlace, FileFault } from "../../findings/finding.js";
import { packageVersion } from "../../package-version.js";
import { sha256 } from "../../schemas/hashes.js";
import { isLater } from "../../schemas/version.js";
import { escapeControls } from "../../text.js";
import { UserError } from "../../user-error.js";
import type { Canonical } from "../canonical.js";
import { findUnexpectedFiles } from "../check.js";
import { LOCK_FILE, readLock } from "../lock.js";
import { WorkingTree } from "../trees/tree.js";
import { type CopyState, copyStateOf, listWantedCopies, type WantedCopy } from "./copies.js";

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
  readonly retired: readonly RetiredCopy[];
  /** Files in folders that are copies as a whole, which nobody copied there. */
  readonly unexpected: readonly string[];
  /** Files that a run left that was killed, from the root of the repository. */
  readonly tempFiles: readonly string[];
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
  const unexpected = findUnexpectedFiles(repository.name, known, { canonical, tree });
  const tempFiles = findTempFiles(folder, [...paths, LOCK_FILE]);
  return {
    copies,
    unexpected: unexpected.map(({ path }) => path).filter((path) => !tempFiles.includes(path)),
    retired: findRetiredCopies(lock?.artefacts ?? [], paths, read),
    tempFiles,
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
    const state = copyStateOf({ ...wanted, copy, locked, present, versions, isLockedByLater });
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

/** What `stageFiles` calls a file until it is whole. */
const STAGED = /^\.rollout-wire-[0-9a-f-]{36}\.tmp$/;

/**
 * Files that a run left that was killed, beside any of `paths`, in the folder `root`; from there, sorted. None in a
 * folder that is not there, or in which nobody may look.
 */
export function findTempFiles(root: string, paths: readonly string[]): string[] {
  const folders = new Set(paths.map((path) => posix.dirname(path)));
  return [...folders].flatMap((folder) => list(root, folder)).sort();
}

function list(root: string, folder: string): string[] {
  let names: string[] = [];
  try {
    names = readdirSync(join(root, folder));
  } catch {
    // Whether a copy can be written there is found out when it is.
  }
  return names.filter((name) => STAGED.test(name)).map((name) => posix.join(folder, name));
}

/** A copy that a repository held by its lock, and is not to hold any more. */
export interface RetiredCopy {
  readonly locked: LockedArtefact;
  /** `gone`: it is not there. `unchanged`: it is what it was when it was copied. */
  readonly state: "gone" | "unchanged" | "changed";
}

/** What stands in a lock and not among `paths`; `read` gives a file of the repository, undefined when there is none. */
export function findRetiredCopies(
  artefacts: readonly LockedArtefact[],
  paths: ReadonlySet<string>,
  read: (path: string) => Buffer | undefined,
): RetiredCopy[] {
  return artefacts
    .filter(({ path }) => !paths.has(path))
    .map((locked) => ({ locked, state: stateOf(locked, read(locked.path)) }));
}

function stateOf({ hashes }: LockedArtefact, copy: Buffer | undefined): RetiredCopy["state"] {
  if (copy === undefined) return "gone";
  return sha256(copy) === hashes.bytes ? "unchanged" : "changed";
}

/**
 * Makes sure that a file of its own is, or can be, at `path` below the folder `root`, which the user calls `name`.
 * Throws UserError (exit 3) for a symbolic link there or on the way, which may lead out of the folder, for a folder
 * in its place, for a file in the place of a folder, and where nobody may look.
 */
export function requirePlace(root: string, path: string, name: string): void {
  const parts = path.split("/");
  for (const [index] of parts.entries()) {
    const part = parts.slice(0, index + 1).join("/");
    const found = look(join(root, part), join(name, part));
    if (found === undefined) return;
    const fault = findFault(found, part === path ? "file" : "folder");
    if (fault !== undefined) throw new UserError(`${escapeControls(join(name, part))}: ${fault}`);
  }
}

function look(path: string, name: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw toReadError(name, error);
  }
}

function findFault(found: Stats, wanted: "file" | "folder"): string | undefined {
  if (found.isSymbolicLink()) {
    return `is a symbolic link, and nothing is written through links: put a ${wanted} in its place`;
  }
  if (wanted === "folder") {
    return found.isDirectory() ? undefined : "is a file, and a folder is to be there: move it away";
  }
  if (found.isDirectory()) return "is a folder, and a file is to be there: move it away";
  return found.isFile() ? undefined : "is no regular file: move it away";
}
