import type { Canonical } from "../../../conformance/drift/canonical.js";
import { checkLock } from "../../../conformance/drift/check-lock.js";
import { LOCK_FILE, readTreeLock } from "../../../conformance/drift/read-lock.js";
import { openTree } from "../../../conformance/drift/trees/open-tree.js";
import { formatCount } from "../../records/format-count.js";
import { UserError } from "../../user-error.js";
import type { DriftResult } from "./drift-result.js";

/** The copies in this folder, each judged by what its lock says of it. Throws UserError when there is no lock. */
export function driftOfLock(canonical: Canonical, cwd: string): DriftResult {
  const tree = openTree(".", cwd);
  const lock = readTreeLock(tree);
  if (lock === undefined) {
    throw new UserError(
      `${LOCK_FILE}: no such file here, so that there is nothing to compare with: run sync for this repository, or name others with --repo, or a folder with --scan`,
    );
  }
  const copies = checkLock(lock, tree, canonical);
  return {
    copies: copies.map((copy) => ({ ...copy, repository: lock.repository })),
    findings: copies.flatMap(({ findings }) => findings),
    checked: [`${formatCount(copies.length, "copy", "copies")} of ${LOCK_FILE}`],
    count: copies.length,
    mends: copies.some(({ findings }) => findings.some(({ severity }) => severity === "error"))
      ? [`rollout-wire sync --repo ${lock.repository}=.`]
      : [],
    isIncomplete: false,
  };
}
