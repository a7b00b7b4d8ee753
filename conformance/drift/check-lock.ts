import type { Lock, LockedArtefact } from "#generated/index.js";
import type { Finding } from "../../src/findings/finding.js";
import { createFinding } from "../../src/findings/finding.js";
import { schemaHashes } from "../registry/schema-hashes.js";
import type { Canonical } from "./canonical.js";
import { checkCopy } from "./check-copy.js";
import type { CheckedCopy } from "./checked-copy.js";
import { findBehind } from "./find-behind.js";
import { toPinned } from "./find-pinned.js";
import { findStrangers } from "./find-strangers.js";
import { isWithin } from "./list-held.js";
import { LOCK_FILE } from "./read-lock.js";
import type { Tree } from "./trees/tree.js";

export interface CheckedLock {
  readonly copies: readonly CheckedCopy[];
  /** What is wrong with the lock itself, and that copies are behind. */
  readonly findings: readonly Finding[];
  /** Files that the repository is registered to hold, each of which the lock has to know. */
  readonly demanded: number;
}

/**
 * What the files of a repository are to what its lock says of them: nothing else is needed. `canonical` is the
 * package that is installed, which knows what was published and what the repository is to hold; it refutes a lock
 * that says otherwise.
 */
export function checkLock(lock: Lock, tree: Tree, canonical: Canonical): CheckedLock {
  const { repository, artefacts } = lock;
  const context = { canonical, tree, lock };
  const demanded = listDemanded(lock, canonical);
  const locked = new Set(artefacts.map(({ path }) => path));
  const copies = [
    ...artefacts.map((each) => checkCopy(each, toPinned(each, canonical), context)),
    ...demanded.filter(({ path }) => !locked.has(path)).map((each) => toUnlocked(each, tree)),
  ];
  const known = new Set([...copies, ...demanded].map(({ path }) => path));
  return {
    copies: [...copies, ...findStrangers(repository, known, context)],
    findings: [
      ...findForeign(lock, tree, canonical),
      ...artefacts.flatMap((each, index) => findLie(each, index, tree, canonical)),
      ...findBehind(repository, copies, context),
    ],
    demanded: demanded.length,
  };
}

type Demanded = Pick<CheckedCopy, "kind" | "schema" | "version" | "path">;

/** What is locked at another version than it is registered at, is behind or ahead: which files that is, the lock says. */
function listDemanded(lock: Lock, canonical: Canonical): Demanded[] {
  return canonical.registeredFor(lock.repository).flatMap((artefact): readonly Demanded[] => {
    const held = lock.artefacts.filter(({ path }) => isWithin(path, artefact.path));
    const isMoved = held.some(({ version }) => version !== artefact.version);
    return isMoved ? held : canonical.filesOf(artefact, lock);
  });
}

function toUnlocked({ kind, schema, version, path }: Demanded, tree: Tree): CheckedCopy {
  const message = `is registered as a copy of ${schema} ${version}, and not locked: sync again`;
  const finding = createFinding({ id: "missing", file: tree.nameOf(path), message });
  return { kind, schema, version, path, grade: "missing", findings: [finding] };
}

/** A lock of a repository that nobody registered, so that nobody knows which copies it leaves out. */
function findForeign(lock: Lock, tree: Tree, canonical: Canonical): Finding[] {
  if (canonical.repository(lock.repository) !== undefined) return [];
  const names = canonical.registry.repositories.map(({ name }) => name).join(", ");
  return [atLock(tree, "/repository", `is none of the repositories that are registered: ${names}`)];
}

/** A lock that says of a published version what that is not, as one that was made anew for a changed copy. */
function findLie(
  { kind, schema, version, hashes }: LockedArtefact,
  index: number,
  tree: Tree,
  canonical: Canonical,
): Finding[] {
  if (kind !== "schema") return [];
  const published = canonical.version(schema, version);
  if (published === undefined || schemaHashes(published.text).contract === hashes.contract)
    return [];
  const message = `is not that of ${schema} ${version} as it was published: sync again`;
  return [atLock(tree, `/artefacts/${index}/hashes/contract`, message)];
}

function atLock(tree: Tree, pointer: string, message: string): Finding {
  const source = tree.read(LOCK_FILE)?.toString("utf8");
  const file = tree.nameOf(LOCK_FILE);
  return createFinding({ id: "lock", file, pointer, message, ...(source && { source }) });
}
