import type { Artefact, Lock, LockedArtefact } from "#generated/index.js";
import { createFinding, type Finding } from "../../base/findings/finding.js";
import type { Canonical } from "./canonical.js";
import { type CheckCopyContext, type CheckedCopy, checkCopy } from "./copy.js";
import { adviseLineEnds, findOutdated, findUnexpectedFiles, foldMissing } from "./folders.js";
import { findPinned, isLockedAs, toPinned } from "./grade.js";
import type { Holder } from "./holder.js";
import { isWithin, LOCK_FILE } from "./lock.js";
import type { Tree } from "./trees/tree.js";

interface CheckedCopies {
  readonly copies: readonly CheckedCopy[];
  /** Errors of the lock, and warnings about outdated copies. Those of the copies are not among them. */
  readonly findings: readonly Finding[];
}

/**
 * Compares a repository's files with its lock, offline. The installed package, `canonical`, knows what was published
 * and what the repository must hold, so it detects a lock that contradicts this.
 */
export function checkLock(holder: Holder, lock: Lock, canonical: Canonical): CheckedCopies {
  const { tree, registered } = holder;
  const { artefacts } = lock;
  const context = { canonical, tree, lock };
  const demanded = listDemanded(registered, lock, canonical);
  const locked = new Set(artefacts.map(({ path }) => path));
  const copies = [
    ...artefacts.map((each) => checkCopy(each, toPinned(each, canonical, lock), context)),
    ...demanded.filter(({ path }) => !locked.has(path)).map((each) => checkUnlocked(each, context)),
  ];
  const known = new Set([...copies, ...demanded].map(({ path }) => path));
  return {
    copies: [
      ...adviseLineEnds(foldMissing(copies, registered, context), registered, context),
      ...findUnexpectedFiles(registered, known, context),
    ],
    findings: [
      ...findOtherLock(holder, lock),
      ...artefacts.flatMap((each, index) => findFalseHash(each, index, tree, canonical)),
      ...findOutdated(registered, copies, context),
    ],
  };
}

type Demanded = Artefact | LockedArtefact;

/** The files that the configuration demands. If a copy is locked at another version, the lock lists its files. */
function listDemanded(
  registered: readonly Artefact[],
  lock: Lock,
  canonical: Canonical,
): Demanded[] {
  return registered.flatMap((artefact): readonly Demanded[] => {
    const held = lock.artefacts.filter(({ path }) => isWithin(path, artefact.path));
    const isMoved = held.some(({ version }) => version !== artefact.version);
    return isMoved ? held : canonical.filesOf(artefact, lock);
  });
}

/** A file that differs was never copied, and is graded; any other one is missing in the lock. */
function checkUnlocked(demanded: Demanded, context: CheckCopyContext): CheckedCopy {
  const { canonical, tree, lock } = context;
  const { kind, schema, version, path } = demanded;
  if (tree.read(path) !== undefined) {
    const checked = checkCopy(demanded, findPinned(demanded, canonical, lock), context);
    if (!["identical", "line-ends"].includes(checked.grade)) return checked;
  }
  const message = `is registered as a copy of ${schema} ${version}, but is not in the lock: sync again`;
  const finding = createFinding({ id: "missing", file: tree.nameOf(path), message });
  return { kind, schema, version, path, grade: "missing", findings: [finding] };
}

/** It came with a folder that was copied, so it says nothing about this repository. */
function findOtherLock({ name, tree }: Holder, { repository }: Lock): Finding[] {
  if (repository === name) return [];
  return [atLock(tree, "/repository", `is the lock of ${repository}, not of ${name}: sync again`)];
}

/** The lock contradicts a published version, for example because it was rewritten for a modified copy. */
function findFalseHash(
  { kind, schema, version, hashes }: LockedArtefact,
  index: number,
  tree: Tree,
  canonical: Canonical,
): Finding[] {
  if (kind !== "schema") return [];
  const published = canonical.version(schema, version);
  if (published === undefined || isLockedAs(published, hashes)) return [];
  const message = `is not the hash of the published ${schema} ${version}: sync again`;
  return [atLock(tree, `/artefacts/${index}/hashes/contract`, message)];
}

function atLock(tree: Tree, pointer: string, message: string): Finding {
  const source = tree.read(LOCK_FILE)?.toString("utf8");
  const file = tree.nameOf(LOCK_FILE);
  return createFinding({ id: "lock", file, pointer, message, ...(source && { source }) });
}

/** Compares the copies with what the repository should hold now. */
export function checkCopies(holder: Holder, canonical: Canonical): CheckedCopies {
  const { tree, lock, registered, artefacts } = holder;
  const context = { canonical, tree, lock };
  const copies = artefacts.map((artefact) =>
    checkCopy(artefact, findPinned(artefact, canonical, lock), context),
  );
  const paths = new Set(artefacts.map(({ path }) => path));
  return {
    copies: [
      ...adviseLineEnds(foldMissing(copies, registered, context), registered, context),
      ...findUnexpectedFiles(registered, paths, context),
    ],
    findings: [...findOutdated(registered, copies, context), ...holder.faults],
  };
}
