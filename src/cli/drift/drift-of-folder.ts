import type { Canonical } from "../../drift/canonical.js";
import { findUnregistered } from "../../drift/scan/forks.js";
import { openTree } from "../../drift/trees/open.js";
import { describeScan } from "./describe-scan.js";
import type { DriftResult } from "./drift-result.js";
import { readLockOf } from "./read-lock-of.js";

/** Copies and forks in a folder that its lock, if it has one, does not know. */
export function driftOfFolder(place: string, canonical: Canonical, cwd: string): DriftResult {
  const tree = openTree(place, cwd);
  try {
    const { lock, lockFaults } = readLockOf(tree);
    const known = new Set(lock?.artefacts.map(({ path }) => path));
    const { findings, ...counts } = findUnregistered(tree, canonical, known);
    return {
      copies: [],
      findings: [...lockFaults, ...findings],
      checked: describeScan(counts),
      count: counts.candidates,
      thing: "file",
      place,
      mends: [],
      isIncomplete: false,
    };
  } finally {
    tree.close();
  }
}
