import type { Canonical } from "../../../conformance/drift/canonical.js";
import { findUnregistered } from "../../../conformance/drift/scan/find-unregistered.js";
import { openTree } from "../../../conformance/drift/trees/open-tree.js";
import { formatCount } from "../../records/format-count.js";
import type { DriftResult } from "./drift-result.js";
import { readLockOf } from "./read-lock-of.js";

/** Copies and forks in a folder that its lock, if it has one, does not know. */
export function driftOfFolder(place: string, canonical: Canonical, cwd: string): DriftResult {
  const tree = openTree(place, cwd);
  try {
    const { lock, lockFaults } = readLockOf(tree);
    const known = new Set(lock?.artefacts.map(({ path }) => path));
    const { files, findings } = findUnregistered(tree, canonical, known);
    return {
      copies: [],
      findings: [...lockFaults, ...findings],
      checked: [`${formatCount(files, "file")} scanned`],
      count: files,
      mends: [],
      isIncomplete: false,
    };
  } finally {
    tree.close();
  }
}
