import { findRegistryFaults } from "../../conformance/registry/find-registry-faults.js";
import { findReleasedFaults } from "../../conformance/registry/find-released-faults.js";
import { judgeVersions } from "../../conformance/versions/faults.js";
import type { Finding } from "../../src/findings/finding.js";
import { toFindings } from "../../src/findings/finding.js";
import { readRegistry } from "../../src/schemas/registry.js";
import type { PlannedRelease } from "./requirement.js";
import { requirements } from "./requirements/index.js";
import { toRelease } from "./to-release.js";

export interface ReleasePlan {
  /** The schemas that are not what was last published. */
  readonly releases: readonly PlannedRelease[];
  /** Fingerprints of the approvals that the releases use up. */
  readonly approved: ReadonlySet<string>;
  /** What is missing, all at once. */
  readonly findings: readonly Finding[];
  /** What was tried, a line each. */
  readonly shown: readonly string[];
}

/** Plans to publish every schema below `root` that has changed, on the day `today` (YYYY-MM-DD). Throws UserError. */
export async function planReleases(root: string, today: string): Promise<ReleasePlan> {
  const registry = readRegistry(root);
  const faults = [
    ...findRegistryFaults(root, registry),
    ...findReleasedFaults(root, registry).filter(({ id }) => id !== "unpublished"),
  ];
  // Nothing can be said of versions that are not there, or not what they were.
  if (faults.length > 0) {
    return { releases: [], approved: new Set(), findings: toFindings(root, faults), shown: [] };
  }
  const { changes, approved, findings } = judgeVersions(root, registry, today);
  const releases = changes.flatMap((change) => toRelease(change, approved) ?? []);
  const fulfilments = await Promise.all(
    releases.flatMap((release) =>
      requirements.map((requirement) => requirement.check(root, release)),
    ),
  );
  return {
    releases,
    approved,
    findings: [...findings, ...fulfilments.flatMap((each) => each.findings)],
    shown: fulfilments.flatMap(({ shown }) => shown ?? []),
  };
}
