import type { Canonical } from "../../drift/canonical.js";
import { checkLock } from "../../drift/check.js";
import { LOCK_FILE } from "../../drift/lock.js";
import { openTree } from "../../drift/trees/open.js";
import { formatCount } from "../../text.js";
import { UserError } from "../../user-error.js";
import type { DriftContext, DriftResult } from "./drift-result.js";
import { listMends } from "./list-mends.js";
import { readLockOf } from "./read-lock-of.js";

/** The copies in this folder, each judged by what its lock says of it. Throws UserError when there is no lock. */
export function driftOfLock(canonical: Canonical, { cwd, latest }: DriftContext): DriftResult {
  const tree = openTree(".", cwd);
  const { lock, lockFaults } = readLockOf(tree);
  if (lockFaults.length > 0) return { ...NOTHING, findings: lockFaults, isIncomplete: true };
  if (lock === undefined) {
    throw new UserError(
      `${LOCK_FILE}: no such file here, so that there is nothing to compare with: run sync for this repository, or name others with --repo, or a folder with --scan`,
    );
  }
  const { repository: name } = lock;
  const { copies, findings, demanded } = checkLock(lock, tree, canonical);
  const isLockWrong = findings.some(({ id }) => id === "lock");
  return {
    copies: copies.map((copy) => ({ ...copy, repository: name })),
    findings: [...copies.flatMap((copy) => copy.findings), ...findings],
    checked: [
      `${formatCount(lock.artefacts.length, "copy", "copies")} of ${LOCK_FILE}`,
      `${demanded} registered for ${name}`,
    ],
    count: copies.length,
    mends: listMends(
      { name, place: ".", tree, lock, latest },
      { copies, findings, isLockWrong },
      canonical,
    ),
    isIncomplete: false,
  };
}

const NOTHING: DriftResult = {
  copies: [],
  findings: [],
  checked: ["nothing compared"],
  count: 0,
  mends: [],
  isIncomplete: false,
};
