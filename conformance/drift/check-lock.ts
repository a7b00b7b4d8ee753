import type { Lock, LockedArtefact } from "#generated/index.js";
import { createFinding } from "../findings/create-finding.js";
import type { Finding } from "../findings/finding.js";
import { schemaHashes } from "../registry/schema-hashes.js";
import type { Canonical } from "./canonical.js";
import { type CheckedCopy, isHarmless } from "./checked-copy.js";
import { describeGrade } from "./describe-grade.js";
import { findBehind } from "./find-behind.js";
import { gradeByHashes } from "./grade-by-hashes.js";
import { LOCK_FILE } from "./read-lock.js";
import type { Tree } from "./trees/tree.js";

/**
 * What the files of a repository are to what its lock says of them: nothing else is needed. `canonical` is the
 * package that is installed, which knows what was published; it refutes a lock that says otherwise.
 */
export function checkLock(lock: Lock, tree: Tree, canonical: Canonical): CheckedCopy[] {
  return [...checkLocked(lock, tree, canonical), ...findUnlocked(lock, tree, canonical)];
}

/** Copies that the repository is registered to hold, of which the lock says nothing. */
function findUnlocked(lock: Lock, tree: Tree, canonical: Canonical): CheckedCopy[] {
  const locked = new Set(lock.artefacts.map(({ path }) => path));
  return canonical
    .artefactsOf(lock.repository)
    .filter(({ path }) => !locked.has(path))
    .map(({ kind, schema, version, path }): CheckedCopy => {
      const message = `is registered as a copy of ${schema} ${version}, and not locked: sync again`;
      const finding = createFinding({ id: "missing", file: tree.nameOf(path), message });
      return { kind, schema, version, path, grade: "missing", findings: [finding] };
    });
}

function checkLocked(lock: Lock, tree: Tree, canonical: Canonical): CheckedCopy[] {
  return lock.artefacts.map((locked, index) => {
    const { kind, schema, version, path, hashes } = locked;
    const copy = tree.read(path);
    const graded = gradeByHashes(hashes, copy);
    const findings: Finding[] = [];
    if (graded.grade !== "identical") {
      const finding = createFinding({
        id: graded.grade,
        file: tree.nameOf(path),
        message: `${describeGrade(graded)}: should be ${schema} ${version}, as it was copied`,
      });
      findings.push({ ...finding, severity: isHarmless(graded.grade) ? "warning" : "error" });
    }
    findings.push(
      ...findLie(locked, index, tree, canonical),
      ...findBehind(locked, { canonical, tree }),
    );
    return { kind, schema, version, path, grade: graded.grade, findings };
  });
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
  const pointer = `/artefacts/${index}/hashes/contract`;
  const message = `is not that of ${schema} ${version} as it was published: sync again`;
  const source = tree.read(LOCK_FILE)?.toString("utf8");
  return [
    createFinding({
      id: "lock",
      file: tree.nameOf(LOCK_FILE),
      pointer,
      message,
      ...(source && { source }),
    }),
  ];
}
