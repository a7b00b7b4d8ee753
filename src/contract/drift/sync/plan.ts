import { existsSync, lstatSync, readFileSync, type Stats } from "node:fs";
import { join, posix } from "node:path";
import type { Artefact, Lock, LockedArtefact } from "#generated/index.js";
import { isRunFile } from "../../../base/files/run-files.js";
import { toReadError } from "../../../base/files/source.js";
import { type FaultPlace, FileFault } from "../../../base/findings/finding.js";
import { packageVersion } from "../../../base/package.js";
import { escapeControls } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { isLater } from "../../schemas/version.js";
import type { Canonical } from "../canonical.js";
import { findUnexpectedFiles } from "../folders.js";
import { hasText } from "../hash-grade.js";
import type { Holder } from "../holder.js";
import { findLocked, LOCK_FILE, readLock } from "../lock.js";
import { type CopyState, copyStateOf, listWantedCopies, type WantedCopy } from "./copies.js";

/** A file that a repository must have, with its current state. */
export interface PlannedCopy extends WantedCopy {
  readonly state: CopyState;
  /** The existing file, if any. */
  readonly copy: Buffer | undefined;
  readonly locked: LockedArtefact | undefined;
}

/** Whether a file differs from the wanted copy, and was never one. It may exist nowhere else. */
export function isNeverCopied({ state, locked }: PlannedCopy): boolean {
  return state.state === "changed" && locked === undefined;
}

/** What a repository must have, and what it has. */
export interface SyncPlan {
  readonly copies: readonly PlannedCopy[];
  readonly retired: readonly RetiredCopy[];
  /** Files in copied folders that are not copies. */
  readonly unexpected: readonly string[];
  /** Undefined if it has none, or an unusable one. */
  readonly lock: Lock | undefined;
  /** Why the existing lock is unusable. */
  readonly lockFault: FaultPlace | undefined;
}

interface SyncPlanOptions {
  readonly canonical: Canonical;
  readonly holder: Holder;
  /** The folder of the repository. */
  readonly folder: string;
  /** That folder as the user named it. */
  readonly name: string;
}

/**
 * Examines a repository without changing it. Throws UserError (exit 3) if a file cannot be read, or a copy could not
 * be written to its place.
 */
export function planSync(options: SyncPlanOptions): SyncPlan {
  const { canonical, folder, name } = options;
  const { tree, registered } = options.holder;
  const { lock, lockFault } = findLock(options);
  const read = (path: string): Buffer | undefined => readCopy(folder, path, name);
  const copies = planCopies({ canonical, registered, lock, read });
  const paths = new Set(copies.map(({ artefact }) => artefact.path));
  const known = new Set([...paths, ...(lock?.artefacts ?? []).map(({ path }) => path)]);
  const unexpected = findUnexpectedFiles(registered, known, { canonical, tree });
  return {
    copies,
    // The files of runs are removed by the next run.
    unexpected: unexpected
      .map(({ path }) => path)
      .filter((path) => !isRunFile(posix.basename(path))),
    retired: findRetiredCopies(lock?.artefacts ?? [], paths, read),
    lock,
    lockFault,
  };
}

interface CopyPlanOptions extends Pick<SyncPlanOptions, "canonical"> {
  /** The copies that the repository must hold. */
  readonly registered: readonly Artefact[];
  /** The lock before the sync. */
  readonly lock: Lock | undefined;
  /** A file of the repository; undefined if missing. */
  read(path: string): Buffer | undefined;
}

/** The files that a repository must have, with their current states. */
export function planCopies({ canonical, registered, lock, read }: CopyPlanOptions): PlannedCopy[] {
  const isLockedByLater = lock !== undefined && isLater(lock.tool_version, packageVersion());
  return listWantedCopies(registered, { canonical, lock }).map((wanted) => {
    const { artefact } = wanted;
    const locked = findLocked(lock, artefact.path);
    const versions = artefact.kind === "schema" ? canonical.versionsOf(artefact.schema) : [];
    // An unavailable copy that is not locked may be a whole folder.
    const isKnown = wanted.wanted !== undefined || locked !== undefined;
    const copy = isKnown ? read(artefact.path) : undefined;
    const entry = canonical.registry.schemas.find(({ name }) => name === artefact.schema);
    const state = copyStateOf({ ...wanted, copy, locked, entry, versions, isLockedByLater });
    return { ...wanted, copy, locked, state };
  });
}

function findLock({ folder, name, holder }: SyncPlanOptions): Pick<SyncPlan, "lock" | "lockFault"> {
  requireWritablePath(folder, LOCK_FILE, name);
  if (!existsSync(join(folder, LOCK_FILE))) return { lock: undefined, lockFault: undefined };
  try {
    const lock = readLock(folder);
    if (lock.repository === holder.name) return { lock, lockFault: undefined };
    const message = `is the lock of ${lock.repository}, not of ${holder.name}`;
    const place = { id: "lock", file: LOCK_FILE, pointer: "/repository", message };
    return { lock: undefined, lockFault: place };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return { lock: undefined, lockFault: error.place };
  }
}

function readCopy(folder: string, path: string, name: string): Buffer | undefined {
  requireWritablePath(folder, path, name);
  if (!existsSync(join(folder, path))) return undefined;
  try {
    return readFileSync(join(folder, path));
  } catch (error) {
    throw toReadError(join(name, path), error);
  }
}

/** A copy in the lock that the registry no longer has. */
export interface RetiredCopy {
  readonly locked: LockedArtefact;
  /** `gone`: it was deleted. `unchanged`: it is as it was copied. */
  readonly state: "gone" | "unchanged" | "changed";
}

/** The locked copies that are not among `paths`; `read` returns a file of the repository, undefined if missing. */
function findRetiredCopies(
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
  return hasText(copy, hashes.bytes) ? "unchanged" : "changed";
}

/**
 * Ensures that `path` below the folder `root` is, or can become, a regular file. `name` is the folder as the user named
 * it. Throws UserError (exit 3) for a symbolic link on the way, which may lead out of the folder, for a folder in place
 * of the file or a file in place of a folder, for unreadable folders, and for git's own files.
 */
function requireWritablePath(root: string, path: string, name: string): void {
  const parts = path.split("/");
  // A lock is data of the repository. On some file systems the case of a name does not matter.
  if (parts.some((part) => part.toLowerCase() === ".git")) {
    const place = escapeControls(join(name, path));
    throw new UserError(
      `${place}: belongs to git, and sync does not touch it: remove it from ${LOCK_FILE}`,
    );
  }
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
    return `is a symbolic link, and sync does not write through links: replace it by a ${wanted}`;
  }
  if (wanted === "folder") {
    return found.isDirectory() ? undefined : "is a file where a folder is needed: move it away";
  }
  if (found.isDirectory()) return "is a folder where a file is needed: move it away";
  return found.isFile() ? undefined : "is not a regular file: move it away";
}
